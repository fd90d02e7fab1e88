import { cloneCodec, createCloneCodec } from './clone-codec.mjs';
import { note } from './log.mjs';
import { refuseMissing } from './not-emulated.mjs';
import { ISOLATED_WORLD } from './renderer/scripts.mjs';
import { originOf, toAppUrl } from './scheme-urls.mjs';

/** One document in a frame, as Electron's `WebFrameMain` shows it. A navigation makes a new one. */
export class WebFrameMain {
  #frames;
  #id;
  #lastUrl = '';

  /**
   * @param {Frames} frames
   * @param {string} id of the frame
   */
  constructor(frames, id) {
    this.#frames = frames;
    this.#id = id;
  }

  #record() {
    const record = this.#frames.record(this.#id);
    return record?.document === this ? record : null;
  }

  get url() {
    const record = this.#record();
    if (record) this.#lastUrl = toAppUrl(record.url);
    return this.#lastUrl;
  }
  get origin() {
    return originOf(this.url);
  }
  get name() {
    return this.#record()?.name ?? '';
  }
  get detached() {
    return this.#record() === null;
  }
  isDestroyed() {
    return this.#record() === null;
  }
  get parent() {
    const parentId = this.#record()?.parentId;
    return parentId ? (this.#frames.record(parentId)?.document ?? null) : null;
  }
  /** @returns {WebFrameMain} */
  get top() {
    return this.parent?.top ?? this;
  }
  get frames() {
    return this.#frames.children(this.#id);
  }
  /** @returns {WebFrameMain[]} */
  get framesInSubtree() {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)];
  }
  get routingId() {
    return this.#frames.numberOf(this.#id);
  }
  get frameTreeNodeId() {
    return this.#frames.numberOf(this.#id);
  }
  get processId() {
    return this.#frames.webContentsId;
  }
  reload() {
    void this.executeJavaScript('location.reload()');
    return true;
  }

  /**
   * @param {string} channel
   * @param {...unknown} args
   */
  send(channel, ...args) {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    try {
      this.#frames.post(this.#id, { channel, args: cloneCodec.encode(args) });
    } catch (error) {
      // Electron throws nothing to the caller here either.
      console.error('Error sending from webFrameMain: ', error);
    }
  }

  /**
   * @param {string} code
   * @param {boolean} [userGesture]
   * @returns {Promise<unknown>}
   */
  executeJavaScript(code, userGesture = false) {
    return this.#frames.evaluate(this.#id, String(code), userGesture);
  }
}
refuseMissing('webFrameMain', WebFrameMain.prototype);

/**
 * @typedef {object} FrameRecord
 * @property {string} url as Chromium knows it
 * @property {string} name
 * @property {string | null} parentId
 * @property {WebFrameMain} document
 * @property {number | null} isolatedContext
 * @property {number | null} mainContext
 * @property {string | null} requestedUrl where the page itself asks this frame to go
 */

/** The frames of one window's page and their script contexts, kept from DevTools events. */
export class Frames {
  #session;
  #deliver;
  /** @type {Map<string, FrameRecord>} */
  #records = new Map();
  /** @type {Map<number, string>} frame ids by isolated context */
  #contexts = new Map();
  /** @type {string[]} */
  #numbers = [];

  /**
   * @param {import('./cdp.mjs').CdpSession} session
   * @param {{ mainFrameId: string, webContentsId: number, deliver: string }} options `deliver` is the isolated world's
   *   entry for messages
   */
  constructor(session, { mainFrameId, webContentsId, deliver }) {
    this.#session = session;
    this.#deliver = deliver;
    this.mainFrameId = mainFrameId;
    this.webContentsId = webContentsId;
    this.#attach(mainFrameId, null);
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => this.#attach(frameId, parentFrameId));
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#records.delete(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      this.#attach(frame.id, frame.parentId ?? null, frame.name);
      const record = /** @type {FrameRecord} */ (this.#records.get(frame.id));
      record.url = frame.url + (frame.urlFragment ?? '');
      // The frames of the document that went away aren't always reported.
      if (frame.id === mainFrameId) this.#dropDescendants();
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const record = this.#records.get(frameId);
      if (record) record.url = url;
    });
    session.on('Runtime.executionContextCreated', ({ context }) => this.#contextCreated(context));
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#contextGone(executionContextId));
    session.on('Runtime.executionContextsCleared', () => this.clear());
  }

  /**
   * @param {string} id
   * @param {string | null} parentId
   * @param {string} [name]
   */
  #attach(id, parentId, name = '') {
    const document = new WebFrameMain(this, id);
    const before = this.#records.get(id);
    const contexts = { isolatedContext: null, mainContext: null, requestedUrl: null };
    this.#records.set(id, { url: before?.url ?? '', name, parentId, document, ...contexts });
    if (!this.#numbers.includes(id)) this.#numbers.push(id);
  }

  #dropDescendants() {
    for (const id of this.#records.keys()) if (id !== this.mainFrameId) this.#records.delete(id);
  }

  /** @param {any} context */
  #contextCreated(context) {
    const record = this.#records.get(context.auxData?.frameId);
    if (!record) return;
    if (context.auxData.isDefault) record.mainContext = context.id;
    if (context.name !== ISOLATED_WORLD) return;
    record.isolatedContext = context.id;
    this.#contexts.set(context.id, context.auxData.frameId);
  }

  /** @param {number} id */
  #contextGone(id) {
    this.#contexts.delete(id);
    for (const record of this.#records.values()) {
      if (record.mainContext === id) record.mainContext = null;
      if (record.isolatedContext === id) record.isolatedContext = null;
    }
  }

  /** Forgets all contexts, as after a crash. */
  clear() {
    this.#contexts.clear();
    for (const record of this.#records.values()) Object.assign(record, { mainContext: null, isolatedContext: null });
  }

  /** The documents of a page that crashed are gone. */
  reset() {
    this.clear();
    this.#dropDescendants();
    const url = this.#records.get(this.mainFrameId)?.url ?? '';
    this.#attach(this.mainFrameId, null);
    /** @type {FrameRecord} */ (this.#records.get(this.mainFrameId)).url = url;
  }

  /**
   * @param {string} id
   * @returns {FrameRecord | undefined}
   */
  record(id) {
    return this.#records.get(id);
  }

  /** @returns {WebFrameMain} */
  get main() {
    return /** @type {FrameRecord} */ (this.#records.get(this.mainFrameId)).document;
  }

  /** @param {string} id */
  children(id) {
    return [...this.#records.values()].filter((record) => record.parentId === id).map((record) => record.document);
  }

  /** @param {string} id */
  numberOf(id) {
    return this.#numbers.indexOf(id) + 1;
  }

  /**
   * @param {number} contextId an isolated context
   * @returns {WebFrameMain | null}
   */
  ofContext(contextId) {
    const id = this.#contexts.get(contextId);
    return id === undefined ? null : (this.#records.get(id)?.document ?? null);
  }

  /**
   * Sends to a frame's isolated world; nothing happens when it has none (yet).
   *
   * @param {string} frameId
   * @param {object} message
   */
  post(frameId, message) {
    const contextId = this.#records.get(frameId)?.isolatedContext;
    if (contextId) this.postToContext(contextId, message);
  }

  /**
   * @param {number} executionContextId
   * @param {object} message
   */
  postToContext(executionContextId, message) {
    if (!this.#contexts.has(executionContextId)) return;
    this.#session
      .send('Runtime.callFunctionOn', {
        executionContextId,
        functionDeclaration: `function (text) { ${this.#deliver}(text); }`,
        arguments: [{ value: JSON.stringify(message) }],
      })
      .then(({ exceptionDetails }) => {
        if (exceptionDetails) note(`a listener of ipcRenderer threw: ${describeException(exceptionDetails)}`);
      })
      // The document went away meanwhile.
      .catch(() => {});
  }

  /**
   * @param {string} frameId
   * @param {string} expression
   * @param {boolean} userGesture
   */
  async evaluate(frameId, expression, userGesture) {
    const contextId = this.#records.get(frameId)?.mainContext;
    if (!contextId) throw new Error('The frame has no document to run scripts in');
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      expression,
      contextId,
      userGesture,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(describeException(exceptionDetails));
    return this.#read(result);
  }

  /** @param {any} remote */
  async #read(remote) {
    if (!remote.objectId) {
      if (remote.type === 'function' || remote.type === 'symbol') throw new Error('An object could not be cloned.');
      if (remote.unserializableValue === undefined) return remote.value;
      const text = remote.unserializableValue;
      return text.endsWith('n') ? BigInt(text.slice(0, -1)) : Number(text);
    }
    const { result, exceptionDetails } = await this.#session.send('Runtime.callFunctionOn', {
      objectId: remote.objectId,
      functionDeclaration: `function () {
        const codec = (${createCloneCodec})({ toBase64: (bytes) => bytes.toBase64(), fromBase64: null });
        return JSON.stringify(codec.encode(this));
      }`,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error('An object could not be cloned.');
    return cloneCodec.decode(JSON.parse(result.value));
  }
}

/** @param {any} exceptionDetails */
function describeException({ exception, text }) {
  return exception?.description?.split('\n')[0] ?? (exception ? String(exception.value) : text);
}
