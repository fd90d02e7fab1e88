import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { AppError } from '../../services/ports/errors.ts';
import type { Clock, DocumentStore, Logger } from '../../services/ports/infrastructure.ts';
import { setFileAside } from './set-aside.ts';

/** Writes a whole document atomically: after a crash at any point the file is the old one or the new one. */
export interface DocumentFile {
  write(document: Record<string, unknown>): void;
}

export interface SetAsideReport {
  /** Where the file was, and where it is now. Equal when it could not be moved: it is left alone then. */
  file: string;
  movedTo: string;
  /** `changed-elsewhere`: another program wrote it while the app ran; the app's own state replaced it. */
  reason: 'damaged' | 'changed-elsewhere';
  /** The backup took its place; otherwise the app started without it. */
  recovered: boolean;
}

export interface JsonDocumentOptions {
  /** Absolute path ending in `.json`. Its folder is made when missing. */
  file: string;
  openFile(file: string): DocumentFile;
  clock: Clock;
  logger: Logger;
  onSetAside(report: SetAsideReport): void;
}

/**
 * A JSON object in a file, with a copy of its last good state beside it (`name.backup.json`).
 *
 * A file that can't be read (cut, NUL bytes, no object) is never overwritten: it is renamed with the date, reported, and the
 * backup is used. A file of no bytes counts as damaged when there is a backup, as new otherwise. Everything is read once, at
 * the start; a file that another program changes later is kept aside when ours is written.
 */
export class JsonDocument implements DocumentStore {
  readonly #options: JsonDocumentOptions;
  readonly #backup: string;
  #mainFile: DocumentFile | undefined;
  #backupFile: DocumentFile | undefined;
  #document: Record<string, unknown> | undefined;
  #seen: Seen | undefined;
  /** Set while the damaged file could not be moved out of the way. */
  #blocked = false;

  /** Reads the file. Throws nothing but a programming error: what goes wrong is reported and `read` gives undefined. */
  constructor(options: JsonDocumentOptions) {
    this.#options = options;
    this.#backup = `${options.file.slice(0, -extname(options.file).length)}.backup.json`;
    this.#load();
  }

  read(): unknown {
    return this.#document;
  }

  write(document: unknown): void {
    if (!isObject(document)) throw new TypeError('A document is an object.');
    const { file, openFile, logger } = this.#options;
    // Plain JSON from here on, whatever happens to the caller's object later.
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    let isOurs = false;
    try {
      mkdirSync(dirname(file), { recursive: true });
      this.#makeWay();
      isOurs = true;
      this.#mainFile ??= openFile(file);
      this.#mainFile.write(copy);
    } catch (error) {
      logger.error('A document could not be written', { file, error });
      // A stump of our own may be replaced by the next write.
      if (isOurs) this.#seen = look(file);
      throw storeFailed(file, error);
    }
    this.#document = copy;
    this.#seen = look(file);
    try {
      const there = statSync(this.#backup, { throwIfNoEntry: false });
      if (there && !there.isFile()) throw new Error('It is no file.');
      this.#backupFile ??= openFile(this.#backup);
      this.#backupFile.write(copy);
    } catch (error) {
      // An older backup is still one.
      logger.warn('The backup of a document could not be written', { file: this.#backup, error });
    }
  }

  #load(): void {
    const { file, logger } = this.#options;
    const main = readObject(file);
    if (main.state === 'good') {
      this.#document = main.document;
      this.#seen = look(file);
      return;
    }
    const backup = readObject(this.#backup);
    const recovered = backup.state === 'good';
    if (backup.state === 'good') this.#document = backup.document;
    if (backup.state === 'bad') this.#tryToClear(this.#backup, backup.why, false);
    if (main.state === 'missing' || (main.state === 'empty' && !recovered)) {
      if (recovered) logger.warn('A document was missing; its backup is used', { file });
      return;
    }
    const cleared = this.#tryToClear(file, main.state === 'bad' ? main.why : 'It is empty.', recovered);
    this.#blocked = !cleared;
    if (cleared && backup.state === 'good') this.#putBack(backup.document);
  }

  #tryToClear(file: string, why: string, recovered: boolean): boolean {
    const { logger, onSetAside } = this.#options;
    logger.error('A document can’t be read', { file, why });
    try {
      this.#clear(file, 'damaged', recovered);
      return true;
    } catch (error) {
      logger.error('A damaged document could not be set aside', { file, error });
      onSetAside({ file, movedTo: file, reason: 'damaged', recovered });
      return false;
    }
  }

  #putBack(document: Record<string, unknown>): void {
    try {
      this.write(document);
    } catch {
      // Logged there; the backup is still the one to start from.
    }
  }

  #clear(file: string, reason: SetAsideReport['reason'], recovered: boolean): void {
    const movedTo = setFileAside(file, reason, this.#options.clock.now());
    this.#options.onSetAside({ file, movedTo, reason, recovered });
  }

  /** Nothing that is not ours is overwritten. */
  #makeWay(): void {
    const { file } = this.#options;
    if (this.#blocked) {
      this.#clear(file, 'damaged', this.#document !== undefined);
      this.#blocked = false;
      return;
    }
    const now = look(file);
    if (!now || now.stamp === this.#seen?.stamp) return;
    if (now.text !== undefined && (now.text === this.#seen?.text || now.text.trim() === '')) return;
    this.#clear(file, 'changed-elsewhere', false);
  }
}

interface Seen {
  /** Changes when the file does. */
  stamp: string;
  /** Undefined for what is no plain file. */
  text: string | undefined;
}

function look(file: string): Seen | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  if (!stats) return undefined;
  const text = stats.isFile() ? readFileSync(file, 'utf8') : undefined;
  return { stamp: `${stats.ino}:${stats.mtimeNs}:${stats.size}`, text };
}

type Read =
  | { state: 'good'; document: Record<string, unknown> }
  | { state: 'missing' | 'empty' }
  | { state: 'bad'; why: string };

function readObject(file: string): Read {
  let bytes: Buffer;
  try {
    // Reading a pipe would wait for ever.
    if (!statSync(file).isFile()) return { state: 'bad', why: 'It is no file.' };
    bytes = readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'missing' } : { state: 'bad', why: message };
  }
  if (bytes.length === 0) return { state: 'empty' };
  try {
    // Takes a BOM away, as some editors put one there, and refuses what is no UTF-8.
    const document: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isObject(document) ? { state: 'good', document } : { state: 'bad', why: 'It holds no object.' };
  } catch (error) {
    return { state: 'bad', why: error instanceof Error ? error.message : String(error) };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function storeFailed(file: string, error: unknown): AppError {
  const { code, message: details } = error as NodeJS.ErrnoException;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  return new AppError('store-failed', full ? 'The disk is full.' : 'A file of the app could not be saved.', {
    hint: full
      ? 'Free some space and try again. What was saved before is still there.'
      : `Check that you may write to ${file} and its folder, then try again.`,
    details,
    cause: error,
  });
}
