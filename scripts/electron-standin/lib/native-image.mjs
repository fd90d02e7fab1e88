import fs from 'node:fs';
import { refuseMissing } from './not-emulated.mjs';

const PNG_SIGNATURE = '89504e470d0a1a0a';

/** Electron's `NativeImage`, for PNG data only; anything else is empty. */
export class NativeImage {
  #png;

  /** @param {Buffer} [data] */
  constructor(data = Buffer.alloc(0)) {
    this.#png = data.subarray(0, 8).toString('hex') === PNG_SIGNATURE ? data : Buffer.alloc(0);
  }
  isEmpty() {
    return this.#png.length === 0;
  }
  toPNG() {
    return Buffer.from(this.#png);
  }
  toDataURL() {
    return `data:image/png;base64,${this.#png.toString('base64')}`;
  }
  getSize() {
    if (this.isEmpty()) return { width: 0, height: 0 };
    return { width: this.#png.readUInt32BE(16), height: this.#png.readUInt32BE(20) };
  }
  getAspectRatio() {
    const { width, height } = this.getSize();
    return height ? width / height : 1;
  }
  isTemplateImage() {
    return false;
  }
  setTemplateImage() {}
}
refuseMissing('nativeImage', NativeImage.prototype);

/** Electron's `nativeImage`. */
export const nativeImage = refuseMissing('nativeImage', {
  createEmpty: () => new NativeImage(),
  /** @param {string} file */
  createFromPath: (file) => new NativeImage(fs.existsSync(file) ? fs.readFileSync(file) : undefined),
  /** @param {Buffer} buffer */
  createFromBuffer: (buffer) => new NativeImage(buffer),
  /** @param {string} url */
  createFromDataURL: (url) => new NativeImage(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')),
});
