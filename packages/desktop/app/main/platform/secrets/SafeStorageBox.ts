import { randomUUID } from 'node:crypto';
import { AppError } from '../../services/ports/errors.ts';
import type { Logger, SecretBox } from '../../services/ports/infrastructure.ts';

/** The part of Electron's `safeStorage` that is used here. The asynchronous calls may be made only after `ready`. */
export interface SafeStorageLike {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(plainText: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  /** On Linux only. */
  getSelectedStorageBackend?(): string;
  /** On Linux only. */
  setUsePlainTextEncryption?(usePlainText: boolean): void;
}

/** `weak`: encrypted with a key that everybody knows, as on a Linux desktop without a keyring. */
export type SecretStrength = 'strong' | 'weak' | 'none';

export interface SafeStorageBoxOptions {
  safeStorage: SafeStorageLike;
  platform: NodeJS.Platform;
  /** The person's choice for `weak` and `none`; null while there is none. Read for every secret that is sealed. */
  weakChoice(): 'store' | 'session-only' | null;
  logger: Logger;
}

/**
 * A sealed value is `sealed:1:<kind>:<rest>`: `system` and `weak` hold the encrypted bytes as base64, `session` the name of a
 * value in memory.
 */
const SEALED = /^sealed:1:(system|weak|session):(.+)$/s;
/** Inside the encryption, so that bytes of another key which happen to decrypt are told from a value of ours. */
const MARK = 'te1:';

/** Secrets by the system's keyring, through Electron's safeStorage. Nothing secret is ever logged or part of an error. */
export class SafeStorageBox implements SecretBox {
  readonly #safeStorage: SafeStorageLike;
  readonly #platform: NodeJS.Platform;
  readonly #weakChoice: SafeStorageBoxOptions['weakChoice'];
  readonly #logger: Logger;
  readonly #session = new Map<string, string>();
  #strength: Promise<SecretStrength> | undefined;

  constructor({ safeStorage, platform, weakChoice, logger }: SafeStorageBoxOptions) {
    this.#safeStorage = safeStorage;
    this.#platform = platform;
    this.#weakChoice = weakChoice;
    this.#logger = logger;
  }

  /** Call after `ready` only. A keyring that could not be reached is asked again the next time. */
  strength(): Promise<SecretStrength> {
    this.#strength ??= this.#findStrength().then((strength) => {
      if (strength === 'none') this.#strength = undefined;
      return strength;
    });
    return this.#strength;
  }

  async seal(plain: string): Promise<string> {
    const strength = await this.strength();
    if (strength === 'strong') return `sealed:1:system:${await this.#encrypt(plain)}`;
    const choice = this.#weakChoice();
    if (choice === 'session-only') return this.#keepForSession(plain);
    if (choice === null) throw mustChoose();
    if (strength === 'none') throw nothingToStoreWith();
    this.#safeStorage.setUsePlainTextEncryption?.(true);
    return `sealed:1:weak:${await this.#encrypt(plain)}`;
  }

  async open(sealed: string, onReseal?: (sealed: string) => void): Promise<string> {
    const [, kind, rest = ''] = SEALED.exec(sealed) ?? [];
    if (!kind) throw unreadable('The stored value is in no form that this version of the app knows.');
    if (kind === 'session') {
      const plain = this.#session.get(rest);
      if (plain === undefined) throw sessionOver();
      return plain;
    }
    if (kind === 'weak' && (await this.strength()) !== 'strong') this.#safeStorage.setUsePlainTextEncryption?.(true);
    const { plain, shouldReEncrypt } = await this.#decrypt(rest);
    // A value of the weak kind moves to the keyring as soon as there is one.
    const canMove = kind === 'weak' && (await this.strength()) === 'strong';
    if (onReseal && (shouldReEncrypt || canMove)) await this.#reseal(plain, onReseal);
    return plain;
  }

  async #findStrength(): Promise<SecretStrength> {
    const weakBackend = this.#platform === 'linux' && this.#safeStorage.getSelectedStorageBackend?.() === 'basic_text';
    if (weakBackend) return 'weak';
    try {
      return (await this.#safeStorage.isAsyncEncryptionAvailable()) ? 'strong' : 'none';
    } catch (error) {
      this.#logger.warn('The system’s encryption can’t be reached', { error });
      return 'none';
    }
  }

  async #encrypt(plain: string): Promise<string> {
    try {
      return (await this.#safeStorage.encryptStringAsync(MARK + plain)).toString('base64');
    } catch (error) {
      throw new AppError('store-failed', 'The system could not encrypt the secret, so it was not saved.', {
        hint: 'Unlock the keyring of your system and try again.',
        cause: error,
      });
    }
  }

  async #decrypt(base64: string): Promise<{ plain: string; shouldReEncrypt: boolean }> {
    let opened: { result: string; shouldReEncrypt: boolean };
    try {
      opened = await this.#safeStorage.decryptStringAsync(Buffer.from(base64, 'base64'));
    } catch (error) {
      throw unreadable('The system could not decrypt it.', error);
    }
    if (!opened.result.startsWith(MARK)) throw unreadable('It was encrypted with another key.');
    return { plain: opened.result.slice(MARK.length), shouldReEncrypt: opened.shouldReEncrypt };
  }

  async #reseal(plain: string, onReseal: (sealed: string) => void): Promise<void> {
    try {
      onReseal(await this.seal(plain));
    } catch (error) {
      // The old value still opens; the next time is early enough.
      this.#logger.warn('A secret could not be encrypted anew', { error });
    }
  }

  #keepForSession(plain: string): string {
    const name = randomUUID();
    this.#session.set(name, plain);
    return `sealed:1:session:${name}`;
  }
}

function mustChoose(): AppError {
  return new AppError('weak-secrets', 'This system offers no strong encryption for secrets.', {
    hint: 'Choose whether to keep them for this session only or to store them with weak encryption.',
  });
}

function nothingToStoreWith(): AppError {
  return new AppError('weak-secrets', 'This system offers no encryption at all, so secrets can’t be stored.', {
    hint: 'Unlock or install a keyring, or choose to keep secrets for this session only.',
  });
}

function sessionOver(): AppError {
  return new AppError('secret-unreadable', 'A key or token is not there any more.', {
    hint: 'You kept it only until the app closed. Enter it again.',
  });
}

function unreadable(details: string, cause?: unknown): AppError {
  return new AppError('secret-unreadable', 'A stored secret can’t be opened.', {
    hint: 'Enter it again. If the keyring of your system is locked, unlock it and restart the app instead.',
    details,
    cause,
  });
}
