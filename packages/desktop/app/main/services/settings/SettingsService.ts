import { DEFAULT_SETTINGS, type Settings, settingsSchema } from '@shared/contracts/settings.contract.ts';
import type { EventSink } from '../ports/events.ts';
import type { DocumentStore, Logger } from '../ports/infrastructure.ts';

export interface SettingsServiceOptions {
  document: DocumentStore;
  events: EventSink;
  logger: Logger;
  /** Called at the start with the names of settings whose stored value can't be used, if there are any. */
  onInvalid(names: string[]): void;
}

/**
 * The settings of the app. A stored value that can't be used falls back to its default alone; it stays in the file until the
 * person changes that setting, and so do settings of a newer app that this one doesn't know.
 */
export class SettingsService {
  readonly #document: DocumentStore;
  readonly #events: EventSink;
  #settings: Settings;

  constructor({ document, events, logger, onInvalid }: SettingsServiceOptions) {
    this.#document = document;
    this.#events = events;
    const { settings, invalid } = readSettings(document.read());
    this.#settings = settings;
    if (invalid.length === 0) return;
    logger.warn('Some settings can’t be used; their defaults are', { names: invalid });
    onInvalid(invalid);
  }

  get(): Settings {
    return this.#settings;
  }

  /** Changes the named settings and keeps the others. Throws AppError `store-failed`; nothing is changed then. */
  set(changes: Partial<Settings>): Settings {
    const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const next = settingsSchema.parse({ ...this.#settings, ...named });
    this.#document.write({ ...storedObject(this.#document.read()), ...named });
    this.#settings = next;
    this.#events.emit({ type: 'settings.changed', payload: next });
    return next;
  }
}

function readSettings(stored: unknown): { settings: Settings; invalid: string[] } {
  const values = storedObject(stored);
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS };
  const invalid: string[] = [];
  for (const [name, schema] of Object.entries(settingsSchema.shape)) {
    if (!Object.hasOwn(values, name)) continue;
    const read = schema.safeParse(values[name]);
    if (read.success) settings[name] = read.data;
    else invalid.push(name);
  }
  return { settings: settingsSchema.parse(settings), invalid };
}

function storedObject(stored: unknown): Record<string, unknown> {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored)
    ? (stored as Record<string, unknown>)
    : {};
}
