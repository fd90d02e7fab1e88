/** What services take from outside, so that they run under plain Node. */

export interface Logger {
  debug(message: string, data?: Record<string, unknown>): void;
  info(message: string, data?: Record<string, unknown>): void;
  warn(message: string, data?: Record<string, unknown>): void;
  error(message: string, data?: Record<string, unknown>): void;
}

/** One JSON object, written atomically. `read` gives what was last written, or undefined; it is not to be changed. */
export interface DocumentStore {
  read(): unknown;
  /** Takes an object. Throws AppError `store-failed` when the disk refuses; the previous document is still there then. */
  write(document: unknown): void;
}

/**
 * Encrypts secrets for storage. A sealed value is text that is safe to store. Where no strong encryption is to be had, what
 * happens is the person's choice (settings `weakSecrets`); `session-only` values open only until the app ends.
 */
export interface SecretBox {
  /** Throws AppError `weak-secrets` where the person has to choose first. */
  seal(plain: string): Promise<string>;
  /**
   * Throws AppError `secret-unreadable` when it can't be opened (another machine, a locked keyring); keep the sealed value.
   * `onReseal` gets a new sealed value to store in place of this one, when the system has changed its key.
   */
  open(sealed: string, onReseal?: (sealed: string) => void): Promise<string>;
}

export type Fetch = typeof fetch;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}
