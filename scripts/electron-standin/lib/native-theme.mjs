import { refusingEmitter } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';
import { WebContents } from './web-contents.mjs';

/** Electron's `nativeTheme`. The system's theme can't be read here and counts as light. */
class NativeTheme extends refusingEmitter('nativeTheme') {
  #source = 'system';
  shouldUseHighContrastColors = false;
  shouldUseInvertedColorScheme = false;
  inForcedColorsMode = false;
  prefersReducedTransparency = false;

  get themeSource() {
    return this.#source;
  }
  set themeSource(source) {
    if (!['system', 'light', 'dark'].includes(source)) {
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${source}`);
    }
    if (source === this.#source) return;
    this.#source = source;
    runtime.colorScheme = source === 'system' ? '' : source;
    for (const contents of WebContents.getAllWebContents()) void contents.standin.emulateTheme().catch(() => {});
    this.emit('updated');
  }
  get shouldUseDarkColors() {
    return this.#source === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI() {
    return false;
  }
}

export const nativeTheme = new NativeTheme();
