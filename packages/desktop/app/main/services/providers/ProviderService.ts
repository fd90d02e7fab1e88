import { randomUUID } from 'node:crypto';
import type { ParsedInput } from '@shared/contracts/contract.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import {
  type ModelInfo,
  modelInfoSchema,
  type ProviderPreset,
  type ProviderRecord,
  type ProvidersContract,
  type ProviderView,
  providerRecordSchema,
  providersContract,
} from '@shared/contracts/providers.contract.ts';
import { AppError, ModelError } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { DocumentStore, Fetch, Logger, SecretBox } from '../ports/infrastructure.ts';
import type { ModelPort } from '../ports/model.ts';
import type { WireFormat } from './index.ts';
import { DEMO_PROVIDER, DEMO_PROVIDER_ID, effectiveBaseUrl, PROVIDER_PRESETS, presetOf } from './presets.ts';
import { ProviderDocument, type StoredKey, type StoredProvider } from './provider-document.ts';
import { cleanUrl, originOf, requireUrl } from './provider-url.ts';
import type { ProviderConfig } from './recipe.ts';

export interface ProviderServiceOptions {
  document: DocumentStore;
  secrets: SecretBox;
  fetch: Fetch;
  events: EventSink;
  logger: Logger;
  createModelPort(format: WireFormat, config: ProviderConfig): ModelPort;
  /** Throws AppError; see `listModels` of the providers. */
  listModels(format: WireFormat, config: ProviderConfig, signal?: AbortSignal): Promise<ModelInfo[]>;
  /** The demo model. */
  demo: ModelPort;
  /** Called with every key that is read or typed in, so that logs leave it out. */
  onSecret(value: string): void;
  /** Called at the start with the names of stored providers that can't be read, if there are any. */
  onSkipped(names: string[]): void;
}

type Input<Call extends keyof ProvidersContract['calls']> = ParsedInput<ProvidersContract, Call>;
/** What became of a stored key when it was last wanted. `moved`: it was given for another origin. */
type OpenedKey =
  | { state: 'set'; key: string }
  | { state: 'not-set' | 'moved' }
  | { state: 'unreadable'; hint?: string };

/**
 * The configured providers, their keys, and their models behind ModelPort. A key is bound to the origin that it was given
 * for and is never sent to another. Errors of the calls are those of the contract; changes are announced.
 */
export class ProviderService {
  readonly #options: ProviderServiceOptions;
  readonly #document: ProviderDocument;
  readonly #ports = new Map<string, Promise<ModelPort>>();
  /** What ends the request for a provider's models that is under way. */
  readonly #refreshes = new Map<string, AbortController>();
  /** Changes run one after another: each reads, encrypts and writes. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: ProviderServiceOptions) {
    this.#options = options;
    this.#document = new ProviderDocument(options.document);
    const { skipped } = this.#document;
    if (skipped.length === 0) return;
    options.logger.warn('Some stored providers can’t be read; they are left out', { names: skipped });
    options.onSkipped(skipped);
  }

  /** The demo first, the others in the order in which they were added. Opens every key once, to tell its state. */
  async list(): Promise<ProviderView[]> {
    const demo: ProviderView = { ...DEMO_PROVIDER, keyState: 'not-needed' };
    return [demo, ...(await Promise.all(this.#document.all().map((provider) => this.#view(provider))))];
  }

  presets(): ProviderPreset[] {
    return [...PROVIDER_PRESETS];
  }

  add(input: Input<'add'>): Promise<ProviderView> {
    return this.#change(async () => {
      const preset = PROVIDER_PRESETS.find(({ id }) => id === input.preset);
      if (!preset)
        throw new AppError('not-found', 'There is no such kind of provider.', { hint: 'Choose another one.' });
      const record: ProviderRecord = {
        id: randomUUID(),
        preset: preset.id,
        name: this.#freeName(input.name),
        format: (preset.id === 'custom' && input.format) || preset.format,
        baseUrl: cleanUrl(input.baseUrl),
        models: [],
        enabled: true,
      };
      requireUrl(record);
      const provider = { record, key: input.key ? await this.#seal(input.key, record) : undefined };
      this.#document.put(provider);
      return provider;
    });
  }

  update(input: Input<'update'>): Promise<ProviderView> {
    return this.#change(async () => {
      const { record: old, key: oldKey } = this.#editable(input.providerId);
      const record = providerRecordSchema.parse({
        ...old,
        name: input.name === undefined ? old.name : this.#freeName(input.name, old.id),
        baseUrl: input.baseUrl === undefined ? old.baseUrl : cleanUrl(input.baseUrl),
        models: input.models ?? old.models,
        enabled: input.enabled ?? old.enabled,
      });
      requireUrl(record);
      const kept = input.key === null || originOf(record) !== originOf(old) ? undefined : oldKey;
      const provider = { record, key: input.key ? await this.#seal(input.key, record) : kept };
      this.#document.put(provider);
      this.#ports.delete(record.id);
      return provider;
    });
  }

  async remove({ providerId }: Input<'remove'>): Promise<void> {
    await this.#change(async () => {
      const provider = this.#editable(providerId);
      this.#document.delete(providerId);
      this.#ports.delete(providerId);
      return provider;
    });
  }

  /** Asks the provider (a test of the key, too) and stores its models. Models that were typed in and aren't listed are lost. */
  async refreshModels({ providerId }: Input<'refreshModels'>): Promise<ProviderView> {
    const { record, key } = this.#editable(providerId);
    const models = await this.#stoppable(providerId, async (signal) => {
      const apiKey = await this.#keyForListing({ record, key });
      signal.throwIfAborted();
      return this.#askForModels(record, apiKey, signal);
    });
    return this.#change(async () => {
      const now = this.#editable(providerId);
      // Moved meanwhile: what the old place listed is of no use.
      if (effectiveBaseUrl(now.record) !== effectiveBaseUrl(record)) return now;
      const provider = { ...now, record: { ...now.record, models } };
      this.#document.put(provider);
      return provider;
    });
  }

  /** Ends the request for a provider's models, if there is one. */
  stopRefresh({ providerId }: Input<'stopRefresh'>): void {
    this.#refreshes.get(providerId)?.abort();
  }

  async #stoppable<T>(providerId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.stopRefresh({ providerId });
    const stop = new AbortController();
    this.#refreshes.set(providerId, stop);
    try {
      const result = await work(stop.signal);
      stop.signal.throwIfAborted();
      return result;
    } catch (error) {
      throw stop.signal.aborted ? new AppError('cancelled', 'The request for the models was stopped.') : error;
    } finally {
      if (this.#refreshes.get(providerId) === stop) this.#refreshes.delete(providerId);
    }
  }

  /** The provider of a model, ready to be asked, with the model's window. Throws ModelError `model-not-found` or `key-missing`. */
  async modelPort({ providerId, modelId }: ModelRef): Promise<ModelPort> {
    if (providerId === DEMO_PROVIDER_ID) return this.#options.demo;
    const port = await this.#portOf(providerId);
    const models = this.#document.find(providerId)?.record.models;
    const contextWindow = models?.find(({ id }) => id === modelId)?.contextWindow;
    // Some servers say 0 for what they don't know.
    if (!contextWindow || contextWindow < 0) return port;
    const { toolFormat } = port;
    return { providerId, toolFormat, contextWindow, stream: (request) => port.stream(request) };
  }

  #portOf(providerId: string): Promise<ModelPort> {
    const cached = this.#ports.get(providerId);
    if (cached) return cached;
    const port = this.#createPort(providerId);
    this.#ports.set(providerId, port);
    port.catch(() => {
      // What was missing may be there the next time.
      if (this.#ports.get(providerId) === port) this.#ports.delete(providerId);
    });
    return port;
  }

  async #createPort(providerId: string): Promise<ModelPort> {
    const provider = this.#document.find(providerId);
    if (!provider) {
      throw new ModelError('model-not-found', 'The provider of this model is not there any more.', {
        hint: 'Choose another model.',
      });
    }
    const { record } = provider;
    if (!record.enabled) {
      throw new ModelError('model-not-found', `${record.name} is switched off.`, {
        hint: 'Switch it on in the settings, or choose another model.',
      });
    }
    const opened = await this.#openKey(provider);
    if (opened.state !== 'set' && (opened.state === 'unreadable' || presetOf(record.preset).needsKey)) {
      throw new ModelError('key-missing', missingKeyMessage(record, opened), {
        hint: opened.state === 'unreadable' ? opened.hint : 'Enter the key in the settings, under Providers.',
      });
    }
    return this.#options.createModelPort(...this.#wire(record, opened.state === 'set' ? opened.key : undefined));
  }

  #wire(record: ProviderRecord, apiKey: string | undefined): [WireFormat, ProviderConfig] {
    const { fetch, logger } = this.#options;
    const baseUrl = effectiveBaseUrl(record);
    // By name here: such a server may be reached through any address.
    const echoReasoning = record.preset === 'deepseek' ? true : undefined;
    return [
      record.format as WireFormat,
      { providerId: record.id, name: record.name, baseUrl, apiKey, fetch, logger, echoReasoning },
    ];
  }

  async #askForModels(record: ProviderRecord, apiKey: string | undefined, signal: AbortSignal): Promise<ModelInfo[]> {
    try {
      const models = await this.#options.listModels(...this.#wire(record, apiKey), signal);
      return models.filter((model) => modelInfoSchema.safeParse(model).success).slice(0, 2000);
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      if ((providersContract.errors as readonly string[]).includes(error.code)) throw error;
      const code = error.code === 'key-missing' ? 'key-refused' : 'unreachable';
      throw new AppError(code, error.message, { hint: error.hint, details: error.details, cause: error });
    }
  }

  async #keyForListing(provider: StoredProvider): Promise<string | undefined> {
    const { record } = provider;
    const opened = await this.#openKey(provider);
    if (opened.state === 'set') return opened.key;
    const message = missingKeyMessage(record, opened);
    const hint = 'Enter the key again.';
    if (opened.state === 'moved') throw new AppError('key-origin-changed', message, { hint });
    if (opened.state === 'unreadable') throw new AppError('key-refused', message, { hint: opened.hint ?? hint });
    if (!presetOf(record.preset).needsKey) return undefined;
    throw new AppError('key-refused', message, { hint: 'Enter a key first.' });
  }

  async #openKey({ record, key }: StoredProvider): Promise<OpenedKey> {
    if (!key) return { state: 'not-set' };
    // Only an edit of the file by hand leads here; `update` forgets the key.
    if (key.origin !== originOf(record)) return { state: 'moved' };
    try {
      const opened = await this.#options.secrets.open(key.sealed, (sealed) =>
        this.#storeResealed(record.id, key, sealed),
      );
      this.#options.onSecret(opened);
      return { state: 'set', key: opened };
    } catch (error) {
      this.#options.logger.warn('The key of a provider can’t be opened', { provider: record.name, error });
      return { state: 'unreadable', hint: error instanceof AppError ? error.hint : undefined };
    }
  }

  #storeResealed(id: string, old: StoredKey, sealed: string): void {
    const provider = this.#document.find(id);
    if (provider?.key?.sealed === old.sealed) this.#document.put({ ...provider, key: { ...old, sealed } });
  }

  async #seal(key: string, record: ProviderRecord): Promise<StoredKey> {
    this.#options.onSecret(key);
    return { sealed: await this.#options.secrets.seal(key), origin: originOf(record) };
  }

  async #view(provider: StoredProvider): Promise<ProviderView> {
    const { state } = await this.#openKey(provider);
    const isMissing = state === 'not-set' || state === 'moved';
    const keyState = !isMissing ? state : presetOf(provider.record.preset).needsKey ? 'not-set' : 'not-needed';
    return { ...provider.record, keyState };
  }

  #change(work: () => Promise<StoredProvider>): Promise<ProviderView> {
    const change = this.#lastChange.then(async () => {
      const provider = await work();
      this.#options.events.emit({ type: 'providers.changed', payload: { providers: await this.list() } });
      return this.#view(provider);
    });
    // Whoever waits for it learns of a failure; the next in the queue doesn't.
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  #editable(id: string): StoredProvider {
    if (id === DEMO_PROVIDER_ID) {
      throw new AppError('not-supported', 'The demo comes with the app and can’t be changed.', {
        hint: 'Add a provider of your own beside it.',
      });
    }
    const provider = this.#document.find(id);
    if (provider) return provider;
    throw new AppError('not-found', 'There is no such provider.', { hint: 'It may have been removed meanwhile.' });
  }

  /** Unique regardless of case. */
  #freeName(name: string, ownId?: string): string {
    const records = [DEMO_PROVIDER, ...this.#document.all().map(({ record }) => record)];
    if (!records.some((record) => record.id !== ownId && fold(record.name) === fold(name))) return name;
    throw new AppError('name-taken', `There is a provider named “${name}” already.`, { hint: 'Choose another name.' });
  }
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();

function missingKeyMessage(record: ProviderRecord, opened: OpenedKey): string {
  if (opened.state === 'unreadable') return `The stored key of ${record.name} can’t be opened.`;
  if (opened.state === 'moved') return `The stored key of ${record.name} was given for another address.`;
  return `${record.name} needs a key.`;
}
