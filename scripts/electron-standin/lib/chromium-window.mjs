import { setTimeout } from 'node:timers/promises';
import { runtime } from './runtime.mjs';
import { openTarget } from './targets.mjs';

const MOST_LOOKS = 10;
const BETWEEN_LOOKS_MS = 20;

/** How much of a window isn't page, and how wide the page is. @param {import('./cdp.mjs').CdpSession} session */
async function frameOf(session) {
  const { result } = await session.send('Runtime.evaluate', {
    expression: '[outerWidth - innerWidth, outerHeight - innerHeight, innerWidth]',
    returnByValue: true,
  });
  return result.value ?? [0, 0, 0];
}

/** The same once two looks agree: while a window is being sized, inside and outside may not belong together. */
async function settledFrame(session) {
  let last = await frameOf(session);
  for (let look = 1; look < MOST_LOOKS; look++) {
    await setTimeout(BETWEEN_LOOKS_MS);
    const frame = await frameOf(session);
    if (frame.every((length, i) => length === last[i])) break;
    last = frame;
  }
  return last;
}

/** Chromium's window around one page. Does what it is told when it can; a window that isn't there yet is told later. */
export class ChromiumWindow {
  #id = 0;
  #targetId = '';
  /** How much of the window isn't page, in pixels. @type {{ width: number, height: number } | null} */
  #frame = null;
  /** @type {{ x: number, y: number, width: number, height: number }} */
  #bounds;
  /** Whether the app chose the position. */
  #placed;

  /**
   * @param {{ x: number, y: number, width: number, height: number }} bounds of the page
   * @param {boolean} placed
   */
  constructor(bounds, placed) {
    this.#bounds = bounds;
    this.#placed = placed;
  }

  /** @returns {Promise<{ targetId: string, session: import('./cdp.mjs').CdpSession }>} its page */
  async open() {
    const target = await openTarget(this.#bounds);
    this.#targetId = target.targetId;
    const { targetId } = target;
    const { windowId } = await runtime.chromium.connection.send('Browser.getWindowForTarget', { targetId });
    this.#id = windowId;
    await this.#takeFrame(runtime.chromium.isShell ? [0, 0] : await frameOf(target.session));
    return target;
  }

  async close() {
    if (!this.#targetId) return;
    await runtime.chromium.connection.send('Target.closeTarget', { targetId: this.#targetId }).catch(() => {});
  }

  /**
   * Finds out how much of the window isn't page, and sizes it accordingly.
   *
   * @param {import('./cdp.mjs').CdpSession} session
   */
  async fit(session) {
    await this.#takeFrame(await settledFrame(session));
  }

  /** @param {number[]} frame */
  async #takeFrame([width, height]) {
    if (this.#frame?.width === width && this.#frame.height === height) return;
    this.#frame = { width, height };
    await this.#apply();
  }

  /**
   * @param {{ x: number, y: number, width: number, height: number }} bounds of the page
   * @param {boolean} placed whether the position is meant
   */
  setBounds(bounds, placed) {
    this.#bounds = bounds;
    this.#placed ||= placed;
    void this.#apply();
  }

  async #apply() {
    if (!this.#frame) return;
    const { x, y } = this.#bounds;
    const width = this.#bounds.width + this.#frame.width;
    const height = this.#bounds.height + this.#frame.height;
    // On a real screen the window manager knows the better place, unless the app has one in mind.
    const position = this.#placed || !runtime.chromium.headed ? { left: x, top: y } : {};
    await this.#send({ ...position, width, height });
  }

  /** @param {'normal' | 'minimized' | 'maximized' | 'fullscreen'} windowState only means something on a real screen */
  setState(windowState) {
    if (runtime.chromium.headed) void this.#send({ windowState });
  }

  /** @param {object} bounds */
  async #send(bounds) {
    if (!this.#id) return;
    await runtime.chromium.connection.send('Browser.setWindowBounds', { windowId: this.#id, bounds }).catch(() => {});
  }

  /** @returns {Promise<{ x: number, y: number, width: number, height: number } | null>} where the user has put the page */
  async boundsByUser() {
    if (!this.#frame || !runtime.chromium.headed) return null;
    const { bounds } = await runtime.chromium.connection.send('Browser.getWindowBounds', { windowId: this.#id });
    if (bounds.windowState !== 'normal') return null;
    const { left: x, top: y } = bounds;
    this.#bounds = { x, y, width: bounds.width - this.#frame.width, height: bounds.height - this.#frame.height };
    return this.#bounds;
  }
}
