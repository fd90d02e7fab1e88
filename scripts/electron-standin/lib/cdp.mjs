import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';

/**
 * A DevTools protocol connection over the two pipes of `--remote-debugging-pipe`: JSON messages that end in NUL.
 *
 * Emits each event of the browser itself under its method name with `(params)`, and `close` when Chromium is gone.
 */
export class CdpConnection extends EventEmitter {
  #toChromium;
  #lastId = 0;
  #closed = false;
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void, method: string }>} */
  #pending = new Map();
  /** @type {Map<string, CdpSession>} */
  #sessions = new Map();

  /**
   * @param {import('node:stream').Writable} toChromium
   * @param {import('node:stream').Readable} fromChromium
   */
  constructor(toChromium, fromChromium) {
    super();
    this.#toChromium = toChromium;
    const decoder = new StringDecoder('utf8');
    /** @type {string[]} */
    let parts = [];
    fromChromium.on('data', (chunk) => {
      const pieces = decoder.write(chunk).split('\0');
      // A long message arrives in many chunks; joining them once keeps that linear.
      for (const piece of pieces.splice(0, pieces.length - 1)) {
        const message = JSON.parse([...parts, piece].join(''));
        parts = [];
        this.#receive(message);
      }
      parts.push(pieces[0]);
    });
    const ignore = () => {};
    fromChromium.on('error', ignore);
    toChromium.on('error', ignore);
    fromChromium.on('close', () => this.#close());
  }

  #close() {
    this.#closed = true;
    for (const { reject, method } of this.#pending.values()) reject(new Error(`${method}: Chromium is gone`));
    this.#pending.clear();
    this.emit('close');
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @param {string} [sessionId] none for the browser itself
   * @returns {Promise<any>} rejects when Chromium refuses or goes away
   */
  send(method, params = {}, sessionId) {
    if (this.#closed) return Promise.reject(new Error(`${method}: Chromium is gone`));
    const id = ++this.#lastId;
    this.#toChromium.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, method }));
  }

  /** @param {any} message */
  #receive(message) {
    if (message.id === undefined) {
      const target = message.sessionId ? this.#sessions.get(message.sessionId) : this;
      target?.emit(message.method, message.params);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) pending?.reject(new Error(`${pending.method}: ${message.error.message}`));
    else pending?.resolve(message.result);
  }

  /**
   * @param {string} sessionId from `Target.attachedToTarget`
   * @returns {CdpSession}
   */
  session(sessionId) {
    const session = new CdpSession(this, sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** @param {string} sessionId */
  forget(sessionId) {
    this.#sessions.delete(sessionId);
  }
}

/** One attached target. Emits its events under their method names with `(params)`. */
export class CdpSession extends EventEmitter {
  #connection;
  #id;

  /**
   * @param {CdpConnection} connection
   * @param {string} id
   */
  constructor(connection, id) {
    super();
    this.#connection = connection;
    this.#id = id;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  send(method, params) {
    return this.#connection.send(method, params, this.#id);
  }
}
