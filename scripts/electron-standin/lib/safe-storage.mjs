import { createCipheriv, createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { refuseMissing } from './not-emulated.mjs';
import { runtime } from './runtime.mjs';

/**
 * Chromium's weak backend on Linux, with its well-known password: data can be exchanged with a real Electron that has
 * no keyring, and is exactly as little protected.
 */
const KEY = pbkdf2Sync('peanuts', 'saltysalt', 1, 16, 'sha1');
const IV = Buffer.alloc(16, ' ');
const PREFIX = Buffer.from('v10');

let plainTextAllowed = false;

/** @param {string} text */
function encrypt(text) {
  const cipher = createCipheriv('aes-128-cbc', KEY, IV);
  return Buffer.concat([PREFIX, cipher.update(String(text), 'utf8'), cipher.final()]);
}

/** @param {Buffer} data */
function decrypt(data) {
  const decipher = createDecipheriv('aes-128-cbc', KEY, IV);
  return Buffer.concat([decipher.update(data.subarray(PREFIX.length)), decipher.final()]).toString('utf8');
}

const NOT_READY = 'safeStorage cannot be used before app is ready';

/**
 * @param {string} call
 * @param {string} verb
 */
function requireAvailable(call, verb) {
  if (safeStorage.isEncryptionAvailable()) return;
  if (!runtime.ready) throw new Error(NOT_READY);
  const [what, noun] = verb === 'encrypting' ? ['text', 'Encryption'] : ['ciphertext', 'Decryption'];
  throw new Error(`Error while ${verb} the ${what} provided to safeStorage.${call}. ${noun} is not available.`);
}

/** Electron's `safeStorage` on a Linux without keyring. */
export const safeStorage = refuseMissing('safeStorage', {
  /** With the weak backend only after `setUsePlainTextEncryption(true)`. */
  isEncryptionAvailable: () => runtime.ready && plainTextAllowed,
  /** @returns {Promise<boolean>} true with the weak backend too: ask for the backend's name */
  isAsyncEncryptionAvailable: async () => runtime.ready,
  getSelectedStorageBackend: () => (runtime.ready ? 'basic_text' : 'unknown'),
  /** @param {boolean} use */
  setUsePlainTextEncryption(use) {
    plainTextAllowed = use;
  },

  /** @param {string} plainText */
  encryptString(plainText) {
    requireAvailable('encryptString', 'encrypting');
    return encrypt(plainText);
  },
  /** @param {Buffer} encrypted */
  decryptString(encrypted) {
    requireAvailable('decryptString', 'decrypting');
    if (!Buffer.isBuffer(encrypted)) throw new Error('Expected the first argument of decryptString() to be a buffer');
    if (encrypted.length === 0) return '';
    const failed = 'Error while decrypting the ciphertext provided to safeStorage.decryptString.';
    if (!encrypted.subarray(0, 3).equals(PREFIX))
      throw new Error(`${failed} Ciphertext does not appear to be encrypted.`);
    try {
      return decrypt(encrypted);
    } catch {
      throw new Error(failed);
    }
  },

  /** @param {string} plainText */
  async encryptStringAsync(plainText) {
    if (!runtime.ready) throw new Error(NOT_READY);
    return encrypt(plainText);
  },
  /** @param {Buffer} encrypted */
  async decryptStringAsync(encrypted) {
    if (!runtime.ready) throw new Error(NOT_READY);
    if (!Buffer.isBuffer(encrypted)) {
      throw new Error('Expected the first argument of decryptStringAsync() to be a buffer');
    }
    if (encrypted.length === 0) return { shouldReEncrypt: false, result: '' };
    const failed = new Error('Error while decrypting the ciphertext provided to safeStorage.decryptStringAsync.');
    if (!encrypted.subarray(0, 3).equals(PREFIX)) throw failed;
    try {
      return { shouldReEncrypt: false, result: decrypt(encrypted) };
    } catch {
      throw failed;
    }
  },
});
