import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { cut } from '../log/cut.ts';
import { AnswerCutOff, ConnectionLost, Flooded, RequestTimeout, RpcError } from './errors.ts';
import { plainMessage, readError } from './plain-message.ts';

export interface RequestOptions {
  /** Longest silence; progress resets it. */
  idleMs: number;
  /** Longest time in all. Default: no limit besides `idleMs`. */
  totalMs?: number;
  signal?: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
  /** Sent along where each request is an HTTP request of its own. */
  headers?: Record<string, string>;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** Last sign of life, and the start, in the time of performance.now(). */
  activeAt: number;
  onProgress: ((progress: CallProgress) => void) | undefined;
  startedAt: number;
  /** Sees whether the time is over, and looks again when it may be. */
  check(): void;
}

/** Longest text of a progress message, in characters: it stands in one line, and there may be thousands a second. */
const MAX_PROGRESS_TEXT = 1000;
/** Our ids begin here, so that they never meet the SDK's, which count from 0. Small enough for servers with 32-bit ids. */
const FIRST_ID = 1_000_000_000;
/** Answers to the server that may be on their way at once. One that asks thousands of things before it reads is no server. */
const MAX_UNSENT = 2000;
/** The stream of an answer that has come is the server's to end. One that it leaves open is closed after so many milliseconds. */
const AFTER_ANSWER_MS = 1000;
const INTERNAL_ERROR = -32603;
const TAKEN_BACK = new Error('The server took the request back');
/** One fixed text: what a person does, and why, is no business of the server's. */
const CANCEL_REASON = 'The request was cancelled.';

type Answer = { id: unknown; result?: unknown; error?: unknown };

/**
 * One transport for two speakers: the SDK's Client, which does the handshake and answers the server, and our own requests.
 * Ours don't go through the Client, because it checks every message deeply: that costs more than the call itself, and loses a
 * whole result for one odd block. Their answers are taken out before the Client sees them.
 */
export class SharedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /**
   * Answers a request of the server; undefined leaves it to the Client. `signal` aborts when the server takes it back, which
   * needs no answer any more.
   */
  onServerRequest?: (
    method: string,
    params: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<unknown> | undefined;
  /** Takes a notification; false leaves it to the Client. */
  onServerNotification?: (method: string, params: Record<string, unknown>) => boolean;
  /** Added to the `_meta` of our requests; the newer protocol revision wants it on each. */
  envelope: Readonly<Record<string, unknown>> | undefined;
  /** When the last message came, in the time of performance.now(). */
  heardAt = 0;
  readonly #inner: Transport;
  readonly #pending = new Map<number, Pending>();
  /** Streams whose answer has come and that the server has not ended. */
  readonly #answered = new Set<AbortController>();
  #closesAnswered: NodeJS.Timeout | undefined;
  #nextId = FIRST_ID;
  #started: Promise<void> | undefined;
  #isClosed = false;
  #onIdle: (() => void) | undefined;
  #unsent = 0;
  #floodedBy: Flooded | undefined;
  /** The ids of requests of the Client that have no answer yet. Only kept where each has a stream of its own. */
  readonly #clientAsked = new Set<unknown>();
  /** Requests of the server that are being answered. */
  readonly #asked = new Map<unknown, AbortController>();
  #holds = 0;
  #heldSince = 0;
  #heldMs = 0;
  readonly #holdWatchers = new Set<(isHeld: boolean) => void>();

  constructor(inner: Transport) {
    this.#inner = inner;
    inner.onmessage = (message, extra) => {
      this.heardAt = performance.now();
      if (this.#takesAnswer(message) || this.#takesProgress(message) || this.#takesServerMessage(message)) return;
      if ('id' in message && !('method' in message)) this.#clientAsked.delete(message.id);
      this.onmessage?.(plainMessage(message), extra);
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onclose = () => this.#closed();
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Starts the transport once; both speakers may ask for it. */
  start(): Promise<void> {
    this.#started ??= this.#inner.start();
    return this.#started;
  }

  /** @throws Flooded, and the connection ends, when too many messages are on their way already */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#unsent >= MAX_UNSENT) {
      this.#floodedBy ??= new Flooded();
      void this.close();
      throw this.#floodedBy;
    }
    this.#unsent++;
    try {
      await this.#inner.send(message, this.#noticingEnd(message, options));
    } finally {
      this.#unsent--;
    }
  }

  /** The Client doesn't look whether the stream of an answer ends without it, and would wait. */
  #noticingEnd(message: JSONRPCMessage, options: TransportSendOptions | undefined): TransportSendOptions | undefined {
    if (!this.#inner.hasPerRequestStream || !('method' in message && 'id' in message)) return options;
    if (options?.onRequestStreamEnd) return options;
    const { id } = message;
    this.#clientAsked.add(id);
    const onRequestStreamEnd = () => {
      if (!this.#clientAsked.delete(id)) return;
      const error = { code: INTERNAL_ERROR, message: `The server sent ${new AnswerCutOff().what}.` };
      this.onmessage?.({ jsonrpc: '2.0', id, error });
    };
    return { ...options, onRequestStreamEnd };
  }

  /** Why the connection was ended, where the server is to blame for it by its sheer number of messages. */
  get floodedBy(): Flooded | undefined {
    return this.#floodedBy;
  }

  /** Whoever waits for an answer is told at once; ending the server may take its time. */
  async close(): Promise<void> {
    this.#rejectAll();
    await this.#inner.close();
    this.#closed();
  }

  /**
   * Sends a request of ours and gives the result as the server sent it.
   * @throws RpcError, RequestTimeout, ConnectionLost, the signal's reason, or what the transport throws on sending.
   */
  request(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new ConnectionLost());
    const { signal, idleMs, totalMs = Number.POSITIVE_INFINITY } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const message = {
      jsonrpc: '2.0' as const,
      id,
      method,
      params: { ...params, _meta: { ...this.envelope, progressToken: id } },
    };
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      // Where each request has a stream of its own, giving up closes it.
      const stream = this.#inner.hasPerRequestStream ? new AbortController() : undefined;
      // An answer in one piece comes before the request is through.
      let isStreaming = false;
      const settle = () => {
        if (stream && isStreaming) this.#letEnd(stream);
        this.#pending.delete(id);
        if (this.#pending.size === 0) this.#onIdle?.();
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const giveUp = (reason: unknown) => {
        settle();
        this.#cancel(id, stream);
        reject(reason);
      };
      const onAbort = () => giveUp(signal?.reason);
      const pending: Pending = {
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        startedAt,
        activeAt: startedAt,
        onProgress: options.onProgress,
        // One timer that looks again, instead of one that every progress message sets anew.
        check: () => {
          clearTimeout(timer);
          // Whoever lets go looks again.
          if (this.#holds > 0) return;
          const now = performance.now();
          const idleLeft = pending.activeAt + idleMs - now;
          const totalLeft = pending.startedAt + totalMs - now;
          if (totalLeft <= 0) giveUp(new RequestTimeout('total', totalMs));
          else if (idleLeft <= 0) giveUp(new RequestTimeout('idle', idleMs));
          else timer = setTimeout(pending.check, Math.ceil(Math.min(idleLeft, totalLeft)));
        },
      };
      let timer = setTimeout(pending.check, Math.ceil(Math.min(idleMs, totalMs)));
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, pending);
      this.#inner
        .send(message, {
          requestSignal: stream?.signal,
          headers: options.headers,
          onRequestStreamEnd: () => {
            isStreaming = false;
            if (stream) this.#answered.delete(stream);
            this.#pending.get(id)?.reject(new AnswerCutOff());
          },
        })
        .then(
          () => {
            isStreaming = true;
          },
          (error) => this.#pending.get(id)?.reject(error),
        );
    });
  }

  /** Streams that stay open would use up the few connections that there may be to one server. */
  #letEnd(stream: AbortController): void {
    this.#answered.add(stream);
    this.#closesAnswered ??= setTimeout(() => {
      this.#closesAnswered = undefined;
      for (const each of this.#answered) each.abort();
      this.#answered.clear();
    }, AFTER_ANSWER_MS).unref();
  }

  /** Milliseconds for which clocks have stood still so far; two readings tell how long that was between them. */
  get heldMs(): number {
    return this.#heldMs + (this.#holds > 0 ? performance.now() - this.#heldSince : 0);
  }

  /**
   * Stops the clocks of our requests, while the server waits for a person. Returns what lets them go on; a second call of
   * that does nothing.
   */
  hold(): () => void {
    this.#holds += 1;
    if (this.#holds === 1) {
      this.#heldSince = performance.now();
      for (const watcher of this.#holdWatchers) this.#tell(watcher, true);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#goOn();
    };
  }

  /**
   * Tells when the clocks stop (true) and when they go on (false), at once when they stand still already. Returns what ends it;
   * who was last told true is told false by that.
   */
  watchHolds(watcher: (isHeld: boolean) => void): () => void {
    this.#holdWatchers.add(watcher);
    if (this.#holds > 0) this.#tell(watcher, true);
    return () => {
      if (this.#holdWatchers.delete(watcher) && this.#holds > 0) this.#tell(watcher, false);
    };
  }

  /** A listener's fault is none of the connection's. */
  #tell<T>(listener: (value: T) => void, value: T): void {
    try {
      listener(value);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #goOn(): void {
    const now = performance.now();
    this.#heldMs += now - this.#heldSince;
    for (const pending of [...this.#pending.values()]) {
      pending.activeAt += now - Math.max(this.#heldSince, pending.activeAt);
      pending.startedAt += now - Math.max(this.#heldSince, pending.startedAt);
      pending.check();
    }
    for (const watcher of this.#holdWatchers) this.#tell(watcher, false);
  }

  /** Resolves when none of our requests is running, at the latest after `ms`. */
  idle(ms: number): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#onIdle = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#onIdle = done;
    });
  }

  #takesAnswer(message: JSONRPCMessage): boolean {
    const answer = message as Partial<Answer>;
    const id = ownNumber(answer.id);
    if (id === undefined || 'method' in message) return false;
    const pending = this.#pending.get(id);
    // An answer that nobody waits for any more comes too late and is dropped.
    if (!pending) return true;
    if (answer.error) {
      const { code, message: text, data } = readError(answer.error);
      pending.reject(new RpcError(code, text, data));
    } else {
      pending.resolve(answer.result);
    }
    return true;
  }

  #takesProgress(message: JSONRPCMessage): boolean {
    if (!('method' in message) || message.method !== 'notifications/progress') return false;
    const { progressToken, progress, total, message: text } = (message.params ?? {}) as Record<string, unknown>;
    const id = ownNumber(progressToken);
    if (id === undefined) return false;
    const pending = this.#pending.get(id);
    if (!pending) return true;
    pending.activeAt = performance.now();
    if (pending.onProgress) {
      this.#tell(pending.onProgress, {
        progress: typeof progress === 'number' ? progress : 0,
        ...(typeof total === 'number' && { total }),
        ...(typeof text === 'string' && { message: cut(text, MAX_PROGRESS_TEXT) }),
      });
    }
    return true;
  }

  /** A request that is answered elsewhere than by the Client, the end of one, or a notification that is taken. */
  #takesServerMessage(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    const params = (message.params ?? {}) as Record<string, unknown>;
    if (!('id' in message)) {
      const asked = message.method === 'notifications/cancelled' ? this.#asked.get(params.requestId) : undefined;
      asked?.abort(TAKEN_BACK);
      return asked !== undefined || (this.onServerNotification?.(message.method, params) ?? false);
    }
    const { id } = message as { id: string | number };
    const controller = new AbortController();
    const answer = this.onServerRequest?.(message.method, params, controller.signal);
    if (!answer) return false;
    this.#asked.set(id, controller);
    const reply = (content: { result: unknown } | { error: { code: number; message: string } }) => {
      if (this.#asked.get(id) === controller) this.#asked.delete(id);
      if (controller.signal.aborted || this.#isClosed) return;
      this.send({ jsonrpc: '2.0', id, ...content } as JSONRPCMessage).catch((error) => this.onerror?.(error));
    };
    answer.then(
      (result) => reply({ result }),
      (error) => {
        const code = (error instanceof RpcError ? error.code : undefined) ?? INTERNAL_ERROR;
        reply({ error: { code, message: error instanceof RpcError ? error.message : CANCEL_REASON } });
      },
    );
    return true;
  }

  #cancel(id: number, stream: AbortController | undefined): void {
    const isModern = this.envelope !== undefined;
    if (!(isModern && stream)) {
      const params = { requestId: id, reason: CANCEL_REASON, ...(isModern && { _meta: { ...this.envelope } }) };
      this.#inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {
        // The connection is going down; then there is nobody to tell.
      });
    }
    stream?.abort();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rejectAll();
    this.onclose?.();
  }

  #rejectAll(): void {
    for (const pending of [...this.#pending.values()]) pending.reject(this.#floodedBy ?? new ConnectionLost());
    for (const asked of this.#asked.values()) asked.abort(new ConnectionLost());
  }
}

/** The number of a request of ours; some servers send numbers back as text. Undefined for what isn't ours. */
function ownNumber(id: unknown): number | undefined {
  const number = typeof id === 'string' && id !== '' ? Number(id) : id;
  return typeof number === 'number' && number >= FIRST_ID ? number : undefined;
}
