import common from '../../../../renderer/src/i18n/en/common.json' with { type: 'json' };
import desktop from '../../../../renderer/src/i18n/en/desktop.json' with { type: 'json' };

/** What main shows outside the window: the part of the app's catalogue that is for it. */
export const texts = { appName: common.appName, ...desktop };

/** Puts values into a text of the catalogue, where it has `{{name}}`. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place);
