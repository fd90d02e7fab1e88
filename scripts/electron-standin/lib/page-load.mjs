import { describeNetError, netErrorCode } from './net-errors.mjs';
import { toChromiumUrl } from './scheme-urls.mjs';

/**
 * @param {string} url
 * @param {number} code
 * @param {string} description
 */
function loadError(url, code, description) {
  const error = new Error(`${description} (${code}) loading '${url}'`);
  return Object.assign(error, { errno: code, code: description, url });
}

/** The loads that the app asks for, of which the last one counts. */
export class PageLoad {
  #onFailure;
  /** @type {{ url: string, resolve(value: unknown): void, reject(error: Error): void } | null} */
  #pending = null;

  /** @param {(code: number, description: string, url: string) => void} onFailure */
  constructor(onFailure) {
    this.#onFailure = onFailure;
  }

  /** Whether the app waits for one. */
  get pending() {
    return this.#pending !== null;
  }

  /**
   * @param {string} url as the app knows it
   * @param {() => Promise<import('./cdp.mjs').CdpSession>} prepare
   * @returns {Promise<void>} settles when the page has loaded, or failed to
   */
  async load(url, prepare) {
    this.#settle(loadError(url, -3, 'ERR_ABORTED'));
    const { promise, resolve, reject } = Promise.withResolvers();
    // It may be settled before anybody waits for it.
    promise.catch(() => {});
    const pending = { url, resolve, reject };
    this.#pending = pending;
    if (!URL.canParse(url)) this.#fail(-300, 'ERR_INVALID_URL');
    const session = await prepare();
    if (this.#pending !== pending) return void (await promise);
    const navigated = session.send('Page.navigate', { url: toChromiumUrl(url) });
    // A page that is closed meanwhile may never answer.
    const { errorText, loaderId } = await Promise.race([navigated, promise.then(() => ({}))]);
    if (this.#pending === pending) {
      if (errorText) this.#fail(netErrorCode(describeNetError(errorText)), describeNetError(errorText));
      // Without a new document there is nothing to wait for.
      else if (!loaderId) this.finished();
    }
    await promise;
  }

  /**
   * @param {number} code
   * @param {string} description
   */
  #fail(code, description) {
    const { url } = /** @type {{ url: string }} */ (this.#pending);
    this.#settle(loadError(url, code, description));
    this.#onFailure(code, description, url);
  }

  /** @param {Error | null} error */
  #settle(error) {
    const pending = this.#pending;
    this.#pending = null;
    if (error) pending?.reject(error);
    else pending?.resolve(undefined);
  }

  finished() {
    this.#settle(null);
  }

  /** The page is gone. */
  abandoned() {
    this.#settle(loadError(this.#pending?.url ?? '', -2, 'ERR_FAILED'));
  }
}
