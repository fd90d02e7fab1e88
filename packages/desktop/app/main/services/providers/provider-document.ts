import { type ProviderRecord, providerRecordSchema } from '@shared/contracts/providers.contract.ts';
import { z } from 'zod';
import type { DocumentStore } from '../ports/infrastructure.ts';
import { DEMO_PROVIDER_ID } from './presets.ts';

/** A key as stored: encrypted, and good for one origin only. */
const storedKeySchema = z.object({ sealed: z.string(), origin: z.string() });
export type StoredKey = z.infer<typeof storedKeySchema>;

const storedProviderSchema = providerRecordSchema.extend({ key: storedKeySchema.optional() });

export interface StoredProvider {
  record: ProviderRecord;
  key?: StoredKey;
}

/**
 * The stored providers. What can't be read stays in the file as it is, so that a person or a newer app can still make use of
 * it; {@link skipped} names it.
 */
export class ProviderDocument {
  readonly #store: DocumentStore;
  /** Whatever the document holds besides its list. */
  readonly #rest: Record<string, unknown>;
  readonly #unreadable: unknown[] = [];
  readonly skipped: string[] = [];
  #providers: StoredProvider[] = [];

  constructor(store: DocumentStore) {
    this.#store = store;
    const document = asObject(store.read()) ?? {};
    const { providers, unreadableProviders, ...rest } = document;
    this.#rest = rest;
    for (const item of [...asList(providers), ...asList(unreadableProviders)]) this.#take(item);
  }

  all(): readonly StoredProvider[] {
    return this.#providers;
  }

  find(id: string): StoredProvider | undefined {
    return this.#providers.find(({ record }) => record.id === id);
  }

  /** Replaces the one with this id, or adds it at the end. Throws AppError `store-failed`; nothing is changed then. */
  put(provider: StoredProvider): void {
    const exists = this.find(provider.record.id) !== undefined;
    this.#save(
      exists
        ? this.#providers.map((other) => (other.record.id === provider.record.id ? provider : other))
        : [...this.#providers, provider],
    );
  }

  /** Throws AppError `store-failed`; nothing is changed then. */
  delete(id: string): void {
    this.#save(this.#providers.filter(({ record }) => record.id !== id));
  }

  #save(providers: StoredProvider[]): void {
    this.#store.write({
      ...this.#rest,
      version: 1,
      providers: providers.map(({ record, key }) => ({ ...record, key })),
      ...(this.#unreadable.length > 0 && { unreadableProviders: this.#unreadable }),
    });
    this.#providers = providers;
  }

  #take(item: unknown): void {
    const read = storedProviderSchema.safeParse(item);
    const isNew = read.success && read.data.id !== DEMO_PROVIDER_ID && !this.find(read.data.id);
    if (isNew && read.data.format !== 'demo') {
      const { key, ...record } = read.data;
      this.#providers.push({ record, key });
      return;
    }
    this.#unreadable.push(item);
    this.skipped.push(nameOf(item));
  }
}

function nameOf(item: unknown): string {
  const { name, id } = asObject(item) ?? {};
  const label = [name, id].find((value) => typeof value === 'string' && value !== '');
  return typeof label === 'string' ? label.slice(0, 128) : '?';
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Something else than a list is one item that can't be read. */
function asList(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
