import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  type ClientCapabilities,
  type Implementation,
  PROTOCOL_VERSION_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import type { CallProgress, McpServerTransport } from '@shared/contracts/mcp-types.ts';
import {
  isBusy,
  isNetworkFailure,
  isNotSupported,
  isRefused,
  isSseFailure,
  meansOldServer,
} from './connection-errors.ts';
import { type HeaderParameter, headersOf, readHeaderParameters } from './header-parameters.ts';
import { MAX_MS } from './list-pages.ts';
import type { MessageRecorder } from './log/message-recorder.ts';
import { discover, type Era, MODERN_VERSION, namesModern, type Probe, requireModern } from './negotiation.ts';
import { ServerChanges, type ServerChangesOptions } from './server-changes.ts';
import { ConnectionLink, type ConnectionLinkOptions } from './server-requests/connection-link.ts';
import { EndedAtProbe, OnlyModern, StartFailure } from './start-failure.ts';
import { StartLimit } from './start-limit.ts';
import { type ListedTools, readToolPages } from './tool-pages.ts';
import { AnswerCutOff, ConnectionLost, RequestTimeout, RpcError } from './transports/errors.ts';
import { ServerStream } from './transports/event-streams.ts';
import { SharedTransport } from './transports/shared-transport.ts';
import { StdioTransport } from './transports/stdio-transport.ts';
import { WatchedTransport } from './transports/watched-transport.ts';

/** A session is ended politely, but nobody waits longer than this for the server to agree. */
const END_SESSION_MS = 1500;

export interface ConnectionOptions extends ServerChangesOptions {
  type: McpServerTransport;
  /** A fresh transport for each attempt. */
  createTransport: (as: McpServerTransport, onOutput: (line: string) => void, serverStream: ServerStream) => Transport;
  clientInfo: Implementation;
  /** Time for the whole start, in milliseconds. */
  startMs: number;
  /** For a program that may be downloaded first: its whole start in milliseconds, unless it writes nothing for `startMs`. */
  installMs?: number;
  /** A line that the program wrote to stderr, or to stdout although it is no message. */
  onOutput?: (line: string) => void;
  /** `legacy` skips asking for the newer protocol revision, `2026-07-28` takes no other. */
  era: Era;
  /** Aborting it ends whatever was started. */
  signal: AbortSignal;
  /** Whether the server may be started or asked a second time within this attempt. Default: it may. */
  mayRepeat?: () => boolean;
  /** Answers what the server asks of the person. Without it no such capability is announced. */
  link?: ConnectionLinkOptions;
  /** Notes the messages. Default: nobody does. */
  messages?: MessageRecorder;
  /** The connection ended and we didn't ask for it. */
  onLost: (error: unknown) => void;
  /** The server may have lost the session: whoever asks it something finds out. Default: nobody wants to know. */
  onDoubt?: () => void;
}

export interface ListToolsOptions {
  idleMs: number;
  signal?: AbortSignal;
  /** A page that the server refuses ends the list. Default: the refusal is thrown. */
  mayEndEarly?: boolean;
}

export interface AskingOptions {
  idleMs: number;
  totalMs: number;
  signal: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
  /** The pool's id of the call. */
  callId?: string;
  headers?: Record<string, string>;
}

/** One connection to one server, over whichever transport and protocol revision; hides the SDK. Made by {@link open}. */
export class McpConnection {
  readonly #client: Client;
  readonly #shared: SharedTransport;
  readonly #transport: Transport;
  readonly #link: ConnectionLink | undefined;
  readonly #changes: ServerChanges;
  readonly #serverStream: ServerStream;
  /** What the server turned out to speak; a restart may skip asking. */
  readonly era: Era;
  /** By tool; those without any have none. */
  readonly #headerParameters = new Map<string, HeaderParameter[]>();
  #closing = false;

  private constructor(
    client: Client,
    shared: SharedTransport,
    transport: Transport,
    link: ConnectionLink | undefined,
    changes: ServerChanges,
    era: Era,
    serverStream: ServerStream,
  ) {
    this.#client = client;
    this.#link = link;
    this.#changes = changes;
    this.#shared = shared;
    this.#transport = transport;
    this.era = era;
    this.#serverStream = serverStream;
  }

  /**
   * Starts the server where it is a program, and shakes hands. A server behind `http` that turns out to be an old one is
   * reached over SSE. Rejects with what went wrong, when nothing of the attempt is left.
   */
  static async open(options: ConnectionOptions): Promise<McpConnection> {
    const startedAt = performance.now();
    const attempt = (as: McpServerTransport, era: Era) => {
      const passed = performance.now() - startedAt;
      const { installMs, startMs } = options;
      const limits = installMs === undefined ? { startMs: startMs - passed } : { installMs: installMs - passed };
      return McpConnection.#attempt({ ...options, era, ...limits }, as);
    };
    try {
      return await attempt(options.type, options.era);
    } catch (error) {
      if (options.signal.aborted || options.era === MODERN_VERSION) throw error;
      // Some servers end at any request before `initialize`: those are started once more, without the question.
      const endedAtProbe = options.type === 'stdio' && error instanceof EndedAtProbe;
      const isOld = options.type === 'http' && meansOldServer(error);
      const isModern = options.era === 'auto' && error instanceof OnlyModern;
      if (!(endedAtProbe || isOld || isModern) || options.mayRepeat?.() === false) throw error;
      if (endedAtProbe) return attempt('stdio', 'legacy');
      if (isModern) return attempt(options.type, MODERN_VERSION);
      try {
        return await attempt('sse', 'legacy');
      } catch (sseError) {
        options.log('protocol', 'info', `It does not answer over SSE either: ${String(sseError)}`);
        // One that knows such a stream, but not now or not us, is an old server indeed.
        throw isRefused(sseError) || isBusy(sseError) ? sseError : error;
      }
    }
  }

  static async #attempt(options: ConnectionOptions, as: McpServerTransport): Promise<McpConnection> {
    const { signal, clientInfo, log, startMs, installMs = startMs } = options;
    const limit = new StartLimit(Math.max(0, startMs), Math.max(0, installMs));
    const onOutput = (line: string) => {
      limit.alive();
      if (!connection) options.onOutput?.(line);
    };
    const serverStream = new ServerStream({
      onReopened: () => changes?.missed(),
      onRefused: () => options.onDoubt?.(),
    });
    const transport = options.createTransport(as, onOutput, serverStream);
    const shared = new SharedTransport(
      options.messages ? new WatchedTransport(transport, options.messages) : transport,
    );
    const link = options.link && new ConnectionLink(shared, options.link);
    const modernEnvelope = {
      ...envelope(clientInfo, link?.capabilities(true)),
      ...link?.envelope,
    };
    const ended = AbortSignal.any([signal, limit.signal]);
    const onAbort = () => void shared.close();
    ended.addEventListener('abort', onAbort, { once: true });
    let connection: McpConnection | undefined;
    let changes: ServerChanges | undefined;
    let probing = false;
    let probe: Probe | undefined;
    try {
      ended.throwIfAborted();
      await orAbort(shared.start(), ended);
      probing = options.era === 'auto' && as !== 'sse';
      const asking = { envelope: modernEnvelope, startMs: Math.max(1, installMs), signal: ended };
      if (probing) probe = await discover(shared, { ...asking, isLocal: as === 'stdio' });
      probing = false;
      const discovered = options.era === MODERN_VERSION ? await requireModern(shared, asking) : probe?.discovered;
      const client = new Client(clientInfo, {
        capabilities: link?.capabilities(discovered !== undefined) ?? {},
        enforceStrictCapabilities: false,
      });
      changes = new ServerChanges(client, shared, options);
      client.onerror = (error) => {
        log('protocol', 'debug', error.message);
        if (as === 'sse' && connection && isSseFailure(error)) connection.#lose(error, options.onLost);
      };
      shared.onclose = () => {
        link?.end();
        changes?.end();
        if (connection) connection.#lose(shared.floodedBy ?? new ConnectionLost(), options.onLost);
      };
      await client.connect(shared, {
        prior: discovered ? { kind: 'modern', discover: discovered } : { kind: 'legacy' },
        timeout: asking.startMs,
        signal: ended,
      });
      // One that was only slow to start answers all that it was asked.
      const isSilent = probe !== undefined && probe.answer === undefined && as === 'stdio';
      const era = isSilent ? 'legacy' : options.era;
      connection = new McpConnection(client, shared, transport, link, changes, era, serverStream);
      if (discovered) shared.envelope = modernEnvelope;
      changes.begin(discovered !== undefined);
      link?.begin(discovered !== undefined, client.getServerCapabilities()?.logging !== undefined);
      ended.throwIfAborted();
      return connection;
    } catch (error) {
      const end = transport instanceof StdioTransport ? transport.describeEnd() : undefined;
      if (connection) connection.#closing = true;
      await shared.close();
      const cause = ended.aborted ? ended.reason : error;
      if (end === undefined && transport instanceof StdioTransport && cause instanceof RequestTimeout) {
        throw new StartFailure(cause.message, transport.stderrTail() || undefined, cause);
      }
      if (!ended.aborted && (namesModern(error) || (probe && !probe.discovered && probe.answer === 'modern'))) {
        throw new OnlyModern(error);
      }
      if (end === undefined || ended.aborted) throw cause;
      throw probing
        ? new EndedAtProbe(end.reason, end.details, cause)
        : new StartFailure(end.reason, end.details, cause);
    } finally {
      probe?.end();
      limit.end();
      ended.removeEventListener('abort', onAbort);
    }
  }

  get serverVersion(): string | undefined {
    return this.#client.getServerVersion()?.version;
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** An HTTP connection whose server keeps a session. */
  get hasSession(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** How the server's process ended, with the last lines of its stderr; undefined for others, and while it runs. */
  describeEnd(): { reason: string; details: string | undefined } | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport.describeEnd() : undefined;
  }

  /** All tools. A server that offers none, or doesn't know the question, has an empty list. */
  async listTools({ mayEndEarly, ...options }: ListToolsOptions): Promise<ListedTools> {
    if (!this.#client.getServerCapabilities()?.tools) return { tools: [], rejected: [], warnings: [] };
    try {
      const limits = { ...options, totalMs: MAX_MS };
      const listed = await readToolPages(
        (cursor) => this.#shared.request('tools/list', cursor === undefined ? {} : { cursor }, limits),
        { mayEndEarly },
      );
      // One that tells of changes needn't be asked every time, although no time is what its SDK says by default.
      if (listed.ttlMs === 0 && this.#changes.tellsOfTools) listed.ttlMs = undefined;
      return this.#mirrorsParameters ? this.#withHeaderParameters(listed) : listed;
    } catch (error) {
      if (isNotSupported(error)) return { tools: [], rejected: [], warnings: [] };
      throw error;
    }
  }

  /**
   * The raw result of `tools/call`. Throws as {@link SharedTransport.request}. What the server needs to know in between is
   * asked of the person, and that time counts against no limit: `onWaiting` is told when it begins and ends.
   */
  async callTool(
    name: string,
    args: Record<string, unknown>,
    { onWaiting, ...options }: AskingOptions & { onWaiting?: (isWaiting: boolean) => void },
  ): Promise<unknown> {
    const endWatch = onWaiting && this.#shared.watchHolds(onWaiting);
    try {
      return await this.#callTool(name, args, options);
    } finally {
      endWatch?.();
    }
  }

  #callTool(name: string, args: Record<string, unknown>, options: AskingOptions): Promise<unknown> {
    const parameters = this.#headerParameters.get(name);
    const headers = parameters && headersOf(parameters, args);
    return this.requestAsking('tools/call', { name, arguments: args }, { ...options, ...(headers && { headers }) });
  }

  /** As {@link request}, for what the server may want to know more about first, as of a call of a tool. */
  async requestAsking(method: string, params: Record<string, unknown>, options: AskingOptions): Promise<unknown> {
    const { callId, ...limits } = options;
    if (!this.#link) return this.#shared.request(method, params, limits);
    let leftMs = options.totalMs;
    return this.#link.call(callId, options.signal, async (retry) => {
      const startedAt = performance.now() - this.#shared.heldMs;
      try {
        return await this.#shared.request(method, { ...params, ...retry }, { ...limits, totalMs: leftMs });
      } catch (error) {
        // The limit is the one of the whole call, not what earlier rounds have left of it.
        const isOver = error instanceof RequestTimeout && error.kind === 'total';
        throw isOver ? new RequestTimeout('total', options.totalMs) : error;
      } finally {
        leftMs -= performance.now() - this.#shared.heldMs - startedAt;
      }
    });
  }

  /** What the server says that it offers besides tools. Nothing else is asked of it. */
  get offers(): { resources: boolean; subscriptions: boolean; prompts: boolean; completions: boolean } {
    const { resources, prompts, completions } = this.#client.getServerCapabilities() ?? {};
    return {
      resources: resources !== undefined,
      subscriptions: resources?.subscribe === true,
      prompts: prompts !== undefined,
      completions: completions !== undefined,
    };
  }

  /** The raw result of any other request. Throws as {@link SharedTransport.request}. */
  request(
    method: string,
    params: Record<string, unknown>,
    options: { idleMs: number; totalMs?: number; signal?: AbortSignal },
  ): Promise<unknown> {
    return this.#shared.request(method, params, options);
  }

  /** Somebody is told when a resource changes, which only a living server can do. */
  get isFollowed(): boolean {
    return this.#changes.isFollowed;
  }

  /** Asks to be told when a resource changes; see {@link ServerChanges.follow}. */
  followResource(uri: string, options: { idleMs: number }): Promise<() => Promise<void>> {
    return this.#changes.follow(uri, options);
  }

  /** The newer revision over HTTP: parameters may have to be said in headers too. */
  get #mirrorsParameters(): boolean {
    return this.protocolVersion === MODERN_VERSION && !(this.#transport instanceof StdioTransport);
  }

  /** Takes out the tools whose declarations are not allowed, and keeps the others' for their calls. */
  #withHeaderParameters(listed: ListedTools): ListedTools {
    this.#headerParameters.clear();
    const rejected = [...listed.rejected];
    const tools = listed.tools.filter(({ name, inputSchema }) => {
      const parameters = readHeaderParameters(inputSchema);
      if (typeof parameters === 'string') rejected.push({ name, reason: parameters });
      else if (parameters.length > 0) this.#headerParameters.set(name, parameters);
      return typeof parameters !== 'string';
    });
    return { ...listed, tools, rejected };
  }

  /** Streams on which the server tells by itself may be dead without a word: they are opened anew. */
  renewStreams(): void {
    this.#serverStream.renew();
    this.#changes.renew();
  }

  /** Reached over a network, which may be lost without a word. */
  get isRemote(): boolean {
    return !(this.#transport instanceof StdioTransport);
  }

  /**
   * Whether the server answers within `ms`; an error is an answer, and so is anything else that comes from it meanwhile.
   * Throws as {@link SharedTransport.request} otherwise.
   */
  async answers(ms: number): Promise<boolean> {
    const askedAt = performance.now();
    try {
      await this.#shared.request('ping', {}, { idleMs: ms });
      return true;
    } catch (error) {
      if (error instanceof RequestTimeout) return this.#shared.heardAt > askedAt;
      if (error instanceof RpcError) return true;
      throw error;
    }
  }

  /** Whether what a request threw means that the connection itself is of no use any more. */
  isBroken(error: unknown): boolean {
    if (error instanceof AnswerCutOff) return false;
    return error instanceof ConnectionLost || (this.isRemote && isNetworkFailure(error));
  }

  /** Resolves when no request of ours is running, at the latest after `ms`. */
  idle(ms: number): Promise<void> {
    return this.#shared.idle(ms);
  }

  /** Ends the connection and whatever belongs to it. Resolves when nothing is left. */
  async close(): Promise<void> {
    this.#closing = true;
    const transport = this.#transport;
    if ('terminateSession' in transport && this.hasSession) {
      const end = (transport.terminateSession as () => Promise<void>).call(transport);
      await Promise.race([end.catch(() => {}), new Promise((resolve) => setTimeout(resolve, END_SESSION_MS).unref())]);
    }
    await this.#shared.close();
  }

  #lose(error: unknown, onLost: (error: unknown) => void): void {
    if (this.#closing) return;
    this.#closing = true;
    onLost(error);
    void this.#shared.close();
  }
}

const envelope = (clientInfo: Implementation, capabilities: ClientCapabilities = {}): Record<string, unknown> => ({
  [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
  [CLIENT_INFO_META_KEY]: clientInfo,
  [CLIENT_CAPABILITIES_META_KEY]: capabilities,
});

/** Rejects with the signal's reason as soon as it aborts, whatever becomes of the work. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
