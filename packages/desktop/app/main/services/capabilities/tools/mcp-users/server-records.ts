import { randomUUID } from 'node:crypto';
import type { BuiltinOptions, McpProtocol, McpServerRecord } from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import { AppError } from '../../../ports/errors.ts';
import type { DocumentStore, SecretBox } from '../../../ports/infrastructure.ts';
import { type Era, MODERN_VERSION } from './negotiation.ts';
import { SealedValues } from './sealed-values.ts';
import { checkConfig, nameKey, type ServerInput } from './server-config.ts';
import {
  consented,
  isConsented,
  noConsent,
  type StoredServer,
  storedServerSchema,
  whatRuns,
  withoutConsent,
} from './stored-server.ts';

/** A server that comes with the app, as a person adds it. */
export interface ChosenBuiltin {
  builtin: string;
  /** Default: a free one. */
  name?: string;
  options?: BuiltinOptions;
  /** There can be only one of it. */
  isSingle: boolean;
}

/** What of a server that comes with the app a person can change. */
export interface BuiltinEdit {
  name: string;
  options: BuiltinOptions | undefined;
}

/** A record that can't be read. It stays in the file as it is. */
export interface RecordProblem {
  name: string;
  reason: string;
}

interface StoredDocument {
  version: 1;
  servers: unknown[];
  /** Built-in servers that were added once, so that one that was removed doesn't come back. */
  builtins: string[];
  /** What stood there instead of a document of ours. Kept, since somebody may want it back. */
  unreadable?: unknown;
}

/** The servers in the store. Reading never throws for one bad record; a change is in the store before it is seen here. */
export class ServerRecords {
  readonly problems: RecordProblem[] = [];
  readonly #store: DocumentStore;
  readonly #sealed: SealedValues;
  #servers: StoredServer[] = [];
  #unreadableRecords: unknown[] = [];
  #builtins: string[] = [];
  #unreadable: unknown;
  /** Changes wait for each other: sealing takes time, and two must not write over one another. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: DocumentStore, secrets: SecretBox) {
    this.#store = store;
    this.#sealed = new SealedValues(secrets);
    this.#load(store.read());
  }

  list(): StoredServer[] {
    return this.#servers;
  }

  find(serverId: string): StoredServer | undefined {
    return this.#servers.find((server) => server.id === serverId);
  }

  /** Throws AppError `not-found`. */
  get(serverId: string): StoredServer {
    const server = this.find(serverId);
    if (!server) throw new AppError('not-found', 'This server does not exist any more.');
    return server;
  }

  /** Adds a server that the person typed in, which is the consent for it. */
  add(input: ServerInput, enabled: boolean): Promise<StoredServer> {
    return this.#inTurn(async () => {
      checkConfig(input);
      this.#checkName(input.name);
      const server = consented({ ...(await this.#build(input, undefined)), enabled });
      this.#write([...this.#servers, server]);
      return server;
    });
  }

  /** Adds servers without consent, all or none, with another name where it is taken. */
  import(inputs: ServerInput[]): Promise<StoredServer[]> {
    return this.#inTurn(async () => {
      inputs.forEach(checkConfig);
      const added: StoredServer[] = [];
      for (const input of inputs) {
        const name = freeName(input.name, [...this.#servers, ...added]);
        added.push(await this.#build({ ...input, name }, undefined));
      }
      this.#write([...this.#servers, ...added]);
      return added;
    });
  }

  /** Adds a built-in server, unless it was ever added. */
  addBuiltin(builtin: string, name: string): Promise<StoredServer | undefined> {
    return this.#inTurn(async () => {
      if (this.#builtins.includes(builtin)) return undefined;
      return this.#writeBuiltin({ builtin, name: freeName(name, this.#servers) });
    });
  }

  /** Adds a built-in server that the person chose, which is the consent for it. */
  addChosenBuiltin(chosen: ChosenBuiltin): Promise<StoredServer> {
    return this.#inTurn(async () => {
      const there = this.#servers.find(({ builtin }) => builtin === chosen.builtin);
      if (chosen.isSingle && there) {
        throw new AppError('invalid-config', `It is there already: “${there.name}”.`, {
          hint: 'There can be only one.',
        });
      }
      const { builtin, name = freeName(builtin, this.#servers), options } = chosen;
      if (chosen.name !== undefined) this.#checkName(name);
      return this.#writeBuiltin({ builtin, name, options });
    });
  }

  #writeBuiltin(chosen: { builtin: string; name: string; options?: BuiltinOptions }): StoredServer {
    const { builtin, name, options } = chosen;
    const common = { id: randomUUID(), name, type: 'stdio' as const, enabled: true };
    const server: StoredServer = { ...common, config: {}, env: {}, headers: {}, builtin, builtinOptions: options };
    this.#write([...this.#servers, server], [...new Set([...this.#builtins, builtin])]);
    return server;
  }

  /**
   * Replaces name, type, config, limits and protocol. The person typed it in: that is the consent for it, except for a server that came
   * from elsewhere and that nobody has agreed to yet. For such a one editing is no agreement.
   */
  update(serverId: string, input: ServerInput): Promise<StoredServer> {
    return this.#inTurn(async () => {
      const old = this.get(serverId);
      if (old.builtin) throw new AppError('invalid-config', `“${old.name}” comes with the app and can’t be edited.`);
      checkConfig(input);
      this.#checkName(input.name, serverId);
      const built = { ...withoutConsent(old), ...(await this.#build(input, old)), id: serverId, enabled: old.enabled };
      const server = isConsented(old) ? consented(built) : built;
      this.#replace(server);
      return server;
    });
  }

  /**
   * Replaces name and options of a server that comes with the app. The person chose them, which is the consent.
   * @throws AppError `not-found`, `invalid-config` for one that doesn't come with the app, `name-taken`, `store-failed`
   */
  updateBuiltin(serverId: string, { name, options }: BuiltinEdit): Promise<StoredServer> {
    return this.#inTurn(async () => {
      const old = this.get(serverId);
      if (!old.builtin) throw new AppError('invalid-config', `“${old.name}” does not come with the app.`);
      this.#checkName(name, serverId);
      const server = { ...old, name, builtinOptions: options };
      this.#replace(server);
      return server;
    });
  }

  /**
   * Replaces a server by one that came from elsewhere: switched off, and nobody has agreed to it yet. What such a server says
   * nothing of stays as it was.
   */
  replaceImported(serverId: string, input: ServerInput): Promise<{ before: StoredServer; after: StoredServer }> {
    return this.#inTurn(async () => {
      const before = this.get(serverId);
      if (before.builtin)
        throw new AppError('invalid-config', `“${before.name}” comes with the app and can’t be replaced.`);
      checkConfig(input);
      this.#checkName(input.name, serverId);
      const limits = input.limits || before.limits ? { ...before.limits, ...input.limits } : undefined;
      const protocol = input.protocol ?? protocolFor(input.type, before.protocol);
      const built = await this.#build({ ...input, limits, protocol }, undefined);
      const after = { ...withoutConsent(before), ...built, id: serverId };
      this.#replace(after);
      return { before, after };
    });
  }

  /** Puts `before` back in the place of `after`. False when that isn't what is stored any more. */
  putBack(before: StoredServer, after: StoredServer): Promise<boolean> {
    return this.#inTurn(async () => {
      const others = this.#servers.filter(({ id }) => id !== before.id);
      if (this.find(after.id) !== after || isTaken(before.name, others)) return false;
      this.#replace(before);
      return true;
    });
  }

  /** @param consent the person saw the command and agreed. Throws AppError `no-consent` when one is needed and missing. */
  setEnabled(serverId: string, enabled: boolean, consent: boolean): Promise<StoredServer> {
    return this.#inTurn(async () => {
      const old = this.get(serverId);
      const server = { ...(consent ? consented(old) : old), enabled };
      if (enabled && !isConsented(server)) throw noConsent(old.name);
      this.#replace(server);
      return server;
    });
  }

  /** Switches a server off until the app ends, where the store refuses to keep that. */
  switchOffForNow(serverId: string): StoredServer {
    const server = { ...this.get(serverId), enabled: false };
    this.#servers = this.#servers.map((old) => (old.id === serverId ? server : old));
    return server;
  }

  setToolEnabled(serverId: string, toolName: string, enabled: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const old = this.get(serverId);
      const others = (old.toolsOff ?? []).filter((name) => name !== toolName);
      this.#replace({ ...old, toolsOff: enabled ? others : [...others, toolName] });
    });
  }

  /** Remembers what a server speaks, for the next start of the app. Throws AppError `store-failed`. */
  rememberEra(serverId: string, era: Era): Promise<void> {
    return this.#inTurn(async () => {
      const old = this.find(serverId);
      const legacyFor = old && era === 'legacy' ? whatRuns(old) : undefined;
      if (!old || (old.protocol ?? 'auto') !== 'auto' || old.legacyFor === legacyFor) return;
      this.#replace({ ...old, legacyFor });
    });
  }

  remove(serverId: string): Promise<void> {
    return this.#inTurn(async () => {
      this.get(serverId);
      this.#write(this.#servers.filter((server) => server.id !== serverId));
    });
  }

  /** The server with its secrets in plain. Throws AppError `secret-unreadable`; the sealed values stay where they are. */
  async open(serverId: string): Promise<McpServerRecord> {
    const server = this.get(serverId);
    const { id, name, type, enabled, limits, protocol, builtin, builtinOptions } = server;
    const secrets = await this.#sealed.openOf(server);
    return {
      id,
      name,
      type,
      enabled,
      limits,
      protocol,
      builtin,
      builtinOptions,
      config: { ...server.config, ...secrets },
    };
  }

  /** A draft with the stored secrets of `serverId` in the place of its null values. */
  async completeDraft(draft: ServerInput, serverId: string | undefined): Promise<McpServerRecord> {
    checkConfig(draft);
    const old = serverId === undefined ? undefined : this.find(serverId);
    const { id, name, type, limits, protocol } = { id: serverId ?? randomUUID(), ...draft };
    const values = async (kind: 'env' | 'headers') => {
      const sealed = await this.#sealed.keepOrSeal(draft, kind, old);
      return this.#sealed.open(sealed, draft, kind);
    };
    const { command, args, cwd, url } = draft.config;
    const config = { command, args, cwd, url, env: await values('env'), headers: await values('headers') };
    return { id, name, type, enabled: true, limits, protocol, config };
  }

  /** Switched off, and without consent. */
  async #build(input: ServerInput, old: StoredServer | undefined): Promise<StoredServer> {
    const { name, type, limits, protocol } = input;
    const { command, args, cwd, url } = input.config;
    return {
      id: randomUUID(),
      name,
      type,
      enabled: false,
      config: type === 'stdio' ? { command, args, cwd } : { url },
      env: type === 'stdio' ? await this.#sealed.keepOrSeal(input, 'env', old) : {},
      headers: type === 'stdio' ? {} : await this.#sealed.keepOrSeal(input, 'headers', old),
      limits,
      protocol,
    };
  }

  #load(document: unknown): void {
    if (document === undefined) return;
    const { servers, builtins } = (document ?? {}) as Partial<StoredDocument>;
    if (!Array.isArray(servers)) {
      this.#unreadable = document;
      this.problems.push({ name: '(all servers)', reason: 'The stored list of servers is not a list.' });
      return;
    }
    this.#unreadable = (document as StoredDocument).unreadable;
    this.#builtins = Array.isArray(builtins) ? builtins.filter((name) => typeof name === 'string') : [];
    for (const record of servers) this.#loadRecord(record);
  }

  #loadRecord(record: unknown): void {
    const parsed = storedServerSchema.safeParse(record);
    const problem = parsed.success ? this.#problemOf(parsed.data) : z.prettifyError(parsed.error);
    if (parsed.success && problem === undefined) {
      this.#servers.push(parsed.data);
      return;
    }
    const name = (record as { name?: unknown } | null)?.name;
    this.problems.push({ name: typeof name === 'string' ? name : '(unnamed)', reason: problem ?? '' });
    this.#unreadableRecords.push(record);
  }

  #problemOf(server: StoredServer): string | undefined {
    if (this.find(server.id)) return 'Another server has the same id.';
    if (isTaken(server.name, this.#servers)) return 'Another server has the same name.';
    try {
      if (!server.builtin) checkConfig({ ...server, config: { ...server.config } });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #checkName(name: string, exceptId?: string): void {
    const others = this.#servers.filter(({ id }) => id !== exceptId);
    if (!isTaken(name, others)) return;
    throw new AppError('name-taken', `There is a server called “${name}” already.`, { hint: 'Choose another name.' });
  }

  #replace(server: StoredServer): void {
    this.#write(this.#servers.map((old) => (old.id === server.id ? server : old)));
  }

  #write(servers: StoredServer[], builtins = this.#builtins): void {
    const document: StoredDocument = { version: 1, servers: [...servers, ...this.#unreadableRecords], builtins };
    this.#store.write(this.#unreadable === undefined ? document : { ...document, unreadable: this.#unreadable });
    this.#servers = servers;
    this.#builtins = builtins;
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(change);
    // Whoever waits for it learns of a failure; the next in the queue doesn't.
    this.#queue = done.catch(() => {});
    return done;
  }
}

const isTaken = (name: string, servers: StoredServer[]): boolean =>
  servers.some((server) => nameKey(server.name) === nameKey(name));

function freeName(name: string, servers: StoredServer[]): string {
  let free = name;
  for (let n = 2; isTaken(free, servers); n++) free = `${name.slice(0, 120)} (${n})`;
  return free;
}

/** What was chosen before, as far as a server of this type can have it. */
const protocolFor = (type: StoredServer['type'], before: McpProtocol | undefined): McpProtocol | undefined =>
  type === 'sse' && before === MODERN_VERSION ? undefined : before;
