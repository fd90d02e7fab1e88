import { HEADLESS_DISPLAY } from './chromium.mjs';
import { refusingEmitter } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';

const bounds = { x: 0, y: 0, ...HEADLESS_DISPLAY };

/** Electron's `screen` with one display. With a real display its true size isn't known here. */
class Screen extends refusingEmitter('screen') {
  #display() {
    if (!runtime.ready) throw new Error("The 'screen' module can't be used before the app 'ready' event");
    const size = { ...HEADLESS_DISPLAY };
    const areas = { bounds: { ...bounds }, workArea: { ...bounds }, size, workAreaSize: { ...size } };
    return {
      id: 1,
      label: 'stand-in',
      ...areas,
      scaleFactor: 1,
      rotation: 0,
      internal: false,
      touchSupport: 'unknown',
    };
  }
  getPrimaryDisplay() {
    return this.#display();
  }
  getAllDisplays() {
    return [this.#display()];
  }
  getDisplayMatching() {
    return this.#display();
  }
  getDisplayNearestPoint() {
    return this.#display();
  }
  getCursorScreenPoint() {
    return { x: 0, y: 0 };
  }
}

export const screen = new Screen();
