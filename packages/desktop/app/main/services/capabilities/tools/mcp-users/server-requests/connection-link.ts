import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClientCapabilities, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { RpcError } from '../transports/errors.ts';
import type { SharedTransport } from '../transports/shared-transport.ts';
import { type Answer, withInputRounds, withUrlsFirst } from './input-rounds.ts';
import type { ServerGrants } from './ServerGrants.ts';
import type { RequestOrigin, ServerRequests } from './ServerRequests.ts';

/** How long a server may take to change how much it logs. */
const SET_LEVEL_MS = 10_000;
const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} } };

export interface ConnectionLinkOptions {
  server: { id: string; name: string };
  requests: ServerRequests;
  grants: ServerGrants;
  log: (level: 'info' | 'warning', text: string) => void;
}

/** One connection's side of what its server may ask: answers it, and tells the server when a grant changes. */
export class ConnectionLink {
  readonly #options: ConnectionLinkOptions;
  /** The pool's ids of the calls that run, with what ends what they asked. */
  readonly #calls = new Map<string, AbortSignal>();
  readonly #shared: SharedTransport;
  readonly #gone = new AbortController();
  readonly #ends: (() => void)[] = [];
  #isModern = false;

  constructor(shared: SharedTransport, options: ConnectionLinkOptions) {
    this.#shared = shared;
    this.#options = options;
    shared.onServerRequest = (method, params, signal) => this.#answer(method, params, signal);
    shared.onServerNotification = (method, params) => this.#notified(method, params);
  }

  /** What the server is told of: all of it is answered here. */
  capabilities(isModern: boolean): ClientCapabilities {
    return { ...CAPABILITIES, roots: isModern ? {} : { listChanged: true } };
  }

  /** What each request of the newer revision says besides. */
  get envelope(): Record<string, unknown> {
    const { logLevel } = this.#options.grants.of(this.#options.server.id);
    return logLevel === null ? {} : { [LOG_LEVEL_META_KEY]: logLevel };
  }

  /** The handshake is done: from now on the server hears of changes. */
  begin(isModern: boolean, canLog: boolean): void {
    const { grants, server } = this.#options;
    this.#isModern = isModern;
    const { logLevel } = grants.of(server.id);
    if (!isModern && canLog && logLevel !== null) void this.#setLevel(logLevel);
    this.#ends.push(
      grants.events.on('roots', ({ serverId }) => {
        if (serverId === server.id && !isModern) this.#notify('notifications/roots/list_changed');
      }),
      grants.events.on('logLevel', ({ serverId, level }) => {
        if (serverId !== server.id) return;
        if (isModern) {
          const { [LOG_LEVEL_META_KEY]: _old, ...envelope } = this.#shared.envelope ?? {};
          this.#shared.envelope = { ...envelope, ...this.envelope };
          // An older server can't be told to log as it likes; the next connection starts that way.
        } else if (canLog && level !== null) void this.#setLevel(level);
      }),
    );
  }

  /** Runs a call of ours, answering what the server needs to know for it. */
  async call(
    callId: string | undefined,
    signal: AbortSignal,
    send: (retry: Record<string, unknown>) => Promise<unknown>,
  ): Promise<unknown> {
    if (callId !== undefined) this.#calls.set(callId, signal);
    const answer: Answer = (method, params) =>
      this.#handle(method, params, this.#origin(callId, [signal], !this.#isModern));
    try {
      return await (this.#isModern ? withInputRounds(send, answer) : withUrlsFirst(() => send({}), answer));
    } finally {
      if (callId !== undefined) {
        this.#calls.delete(callId);
        this.#options.requests.callEnded(callId);
      }
    }
  }

  /** The connection is gone, and with it whatever its server asked. */
  end(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#gone.abort(new Error('The connection ended'));
  }

  #answer(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<unknown> | undefined {
    if (!['elicitation/create', 'sampling/createMessage', 'roots/list'].includes(method)) return undefined;
    // The older revisions don't say which call a request belongs to. With one running there is no doubt worth the name.
    const [only] = this.#calls.size === 1 ? this.#calls : [];
    return this.#handle(method, params, this.#origin(only?.[0], only ? [signal, only[1]] : [signal]));
  }

  async #handle(method: string, params: Record<string, unknown>, origin: RequestOrigin): Promise<unknown> {
    const { requests, log } = this.#options;
    switch (method) {
      case 'roots/list':
        return this.#roots();
      case 'elicitation/create':
        log('info', 'The server asks the person for input');
        return requests.elicit(params, origin);
      case 'sampling/createMessage':
        log('info', 'The server asks for an answer of a model');
        return requests.sample(params, origin);
      default:
        throw new RpcError(-32601, `Not supported: ${method.slice(0, 100)}`);
    }
  }

  #origin(call: string | undefined, signals: AbortSignal[], untilDone = false): RequestOrigin {
    const { server } = this.#options;
    const signal = AbortSignal.any([this.#gone.signal, ...signals]);
    const hold = () => this.#shared.hold();
    return { serverId: server.id, serverName: server.name, call, signal, hold, untilDone };
  }

  #roots(): unknown {
    const { roots } = this.#options.grants.of(this.#options.server.id);
    return { roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) || folder })) };
  }

  #notified(method: string, params: Record<string, unknown>): boolean {
    if (method !== 'notifications/elicitation/complete') return false;
    const { elicitationId } = params;
    if (typeof elicitationId === 'string') this.#options.requests.completed(this.#options.server.id, elicitationId);
    return true;
  }

  #notify(method: string): void {
    this.#shared.send({ jsonrpc: '2.0', method }).catch((error) => {
      this.#options.log('warning', `The server could not be told (${method}): ${String(error)}`);
    });
  }

  async #setLevel(level: string): Promise<void> {
    try {
      await this.#shared.request('logging/setLevel', { level }, { idleMs: SET_LEVEL_MS });
    } catch (error) {
      this.#options.log('warning', `The server did not take the log level: ${String(error)}`);
    }
  }
}
