import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentContract } from '@shared/contracts/agent.contract.ts';
import { type AgentPreset, agentPresetSchema } from '@shared/contracts/agent-types.ts';
import type { ParsedInput } from '@shared/contracts/contract.ts';
import { z } from 'zod';
import { AppError } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { DocumentStore, Logger } from '../ports/infrastructure.ts';

export interface PresetStoreOptions {
  /** Keeps the person's own. */
  document: DocumentStore;
  /** Folder with the app's own, a JSON file each; they are listed in the order of the files' names. */
  folder: string;
  events: EventSink;
  logger: Logger;
  /** Told the names of stored presets that can't be read. They stay in the store. */
  onSkipped: (names: string[]) => void;
}

const documentSchema = z.object({ version: z.literal(1), presets: z.array(z.unknown()) });
const shippedFileSchema = agentPresetSchema.omit({ shipped: true });

/** What kinds of agent there are: those that come with the app, and those that the person has made. */
export class PresetStore {
  readonly #options: PresetStoreOptions;
  readonly #shipped: readonly AgentPreset[];
  #own: readonly AgentPreset[];
  /** Entries of the document that this version can't read. */
  readonly #unreadable: readonly unknown[];

  /** Throws when the app's own presets can't be read: the app is broken then. */
  constructor(options: PresetStoreOptions) {
    this.#options = options;
    this.#shipped = readShipped(options.folder);
    const entries = this.#load();
    const read = entries.map((entry) => agentPresetSchema.safeParse(entry));
    this.#own = read.flatMap(({ data }) => (data ? [{ ...data, shipped: false }] : []));
    this.#unreadable = entries.filter((_entry, index) => !read[index]!.success);
    if (this.#unreadable.length > 0) options.onSkipped(this.#unreadable.map(nameOf));
  }

  /** Those of the app first, then the person's own by name. */
  list(): AgentPreset[] {
    return [...this.#shipped, ...this.#own.toSorted((a, b) => a.name.localeCompare(b.name))];
  }

  /** Throws AppError `not-found`. */
  get(presetId: string): AgentPreset {
    const preset = this.list().find(({ id }) => id === presetId);
    if (!preset) throw missing();
    return preset;
  }

  /**
   * Adds one, or changes the person's own one with this id. Throws AppError `not-found`, `forbidden` for one of the app's,
   * `name-taken` (regardless of case), `store-failed`.
   */
  save({ id, ...values }: ParsedInput<AgentContract, 'savePreset'>): AgentPreset {
    if (id !== undefined) this.#checkOwn(id);
    const name = values.name.toLocaleLowerCase();
    if (this.list().some((other) => other.id !== id && other.name.toLocaleLowerCase() === name)) {
      throw new AppError('name-taken', `There is already a preset named “${values.name}”.`, {
        hint: 'Choose another name.',
      });
    }
    const preset: AgentPreset = { ...values, id: id ?? randomUUID(), shipped: false };
    this.#keep([...this.#own.filter((other) => other.id !== preset.id), preset]);
    return preset;
  }

  /** Runs that began with it keep it. Throws AppError `not-found`, `forbidden` for one of the app's, `store-failed`. */
  remove(presetId: string): void {
    this.#checkOwn(presetId);
    this.#keep(this.#own.filter(({ id }) => id !== presetId));
  }

  #checkOwn(presetId: string): void {
    if (this.get(presetId).shipped) {
      throw new AppError('forbidden', 'This preset comes with the app and can’t be changed.', {
        hint: 'Make a copy of it, and change that.',
      });
    }
  }

  #keep(own: readonly AgentPreset[]): void {
    this.#options.document.write({ version: 1, presets: [...own, ...this.#unreadable] });
    this.#own = own;
    this.#options.events.emit({ type: 'agent.presetsChanged', payload: { presets: this.list() } });
  }

  #load(): unknown[] {
    const document = this.#options.document.read();
    if (document === undefined) return [];
    const parsed = documentSchema.safeParse(document);
    if (parsed.success) return parsed.data.presets;
    this.#options.logger.warn('The presets of agents could not be read', { reason: parsed.error.message });
    return [];
  }
}

function readShipped(folder: string): AgentPreset[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.toSorted().map((name) => {
    const preset = shippedFileSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return { ...preset, shipped: true };
  });
}

const nameOf = (entry: unknown): string => {
  const named = z.object({ name: z.string() }).safeParse(entry);
  return named.success ? named.data.name : '?';
};

const missing = () =>
  new AppError('not-found', 'This preset does not exist any more.', { hint: 'Choose another one.' });
