import { BrowserWindow } from './browser-window.mjs';
import { note } from './log.mjs';
import { refuseMissing } from './not-emulated.mjs';

/** The window is optional and comes first. */
const optionsOf = ([first, second]) => (first instanceof BrowserWindow ? second : (first ?? second)) ?? {};

/**
 * @param {string} name
 * @param {any} options
 */
function say(name, options) {
  note(
    `dialog.${name} ${JSON.stringify({ title: options.title, message: options.message, buttons: options.buttons })}`,
  );
}

/** What closing the box means: the given button, one called Cancel or No, or the first. */
function cancelButton({ cancelId, buttons = [] }) {
  if (cancelId !== undefined) return cancelId;
  return Math.max(
    0,
    buttons.findIndex((label) => /^&?(cancel|no)$/i.test(label)),
  );
}

/** Electron's `dialog`. Nobody is there to answer, so each box says what it would ask and counts as cancelled. */
export const dialog = refuseMissing('dialog', {
  async showMessageBox(...args) {
    const options = optionsOf(args);
    say('showMessageBox', options);
    return { response: cancelButton(options), checkboxChecked: options.checkboxChecked ?? false };
  },
  showMessageBoxSync(...args) {
    const options = optionsOf(args);
    say('showMessageBoxSync', options);
    return cancelButton(options);
  },
  /**
   * @param {string} title
   * @param {string} content
   */
  showErrorBox(title, content) {
    note(`dialog.showErrorBox ${title}\n${content}`);
  },
  async showOpenDialog(...args) {
    say('showOpenDialog', optionsOf(args));
    return { canceled: true, filePaths: [] };
  },
  showOpenDialogSync(...args) {
    say('showOpenDialogSync', optionsOf(args));
    return undefined;
  },
  async showSaveDialog(...args) {
    say('showSaveDialog', optionsOf(args));
    return { canceled: true, filePath: '' };
  },
  showSaveDialogSync(...args) {
    say('showSaveDialogSync', optionsOf(args));
    return '';
  },
});
