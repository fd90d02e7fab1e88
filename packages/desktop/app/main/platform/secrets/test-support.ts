import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { SafeStorageLike } from './SafeStorageBox.ts';

/** A keyring of a test: real encryption under a password, and the ways in which real ones fail. */
export class TestKeyring implements SafeStorageLike {
  available = true;
  locked = false;
  /** Asks for re-encryption of whatever it opens. */
  rotated = false;
  backend: string;
  plainTextAllowed = false;
  readonly #key: Buffer;

  constructor(password: string, backend = 'gnome_libsecret') {
    this.#key = createHash('sha256').update(password).digest();
    this.backend = backend;
  }

  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return this.available;
  }

  async encryptStringAsync(plainText: string): Promise<Buffer> {
    this.#refuse();
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  async decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    this.#refuse();
    const decipher = createDecipheriv('aes-256-gcm', this.#key, encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(12, 28));
    const result = Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
    return { result, shouldReEncrypt: this.rotated };
  }

  getSelectedStorageBackend(): string {
    return this.backend;
  }

  setUsePlainTextEncryption(usePlainText: boolean): void {
    this.plainTextAllowed = usePlainText;
  }

  #refuse(): void {
    if (this.locked || !this.available) throw new Error('The keyring is not available.');
    if (this.backend === 'basic_text' && !this.plainTextAllowed) throw new Error('Encryption is not available.');
  }
}
