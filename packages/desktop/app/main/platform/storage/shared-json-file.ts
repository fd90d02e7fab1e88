import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../services/ports/errors.ts';
import type { DocumentStore, Logger } from '../../services/ports/infrastructure.ts';
import { setFileAside } from './set-aside.ts';

export interface SharedJsonFileOptions {
  /** Absolute path; its folder is made when missing. */
  file: string;
  logger: Logger;
  onSetAside(report: { file: string; movedTo: string }): void;
}

/**
 * A JSON object in a file that several processes of the app may write: each read sees what was written last, by whichever of
 * them. Written to a temporary file and renamed. A damaged file is set aside under a dated name and reported; one that can't
 * be read at the moment is left alone, and set aside only when it would be overwritten.
 */
export class SharedJsonFile implements DocumentStore {
  readonly #options: SharedJsonFileOptions;
  #last: { key: string; document: unknown } | undefined;
  #unread = false;

  constructor(options: SharedJsonFileOptions) {
    this.#options = options;
  }

  read(): unknown {
    const { file, logger } = this.#options;
    const key = this.#key();
    if (key === undefined) return undefined;
    if (this.#last?.key === key) return this.#last.document;
    let text: string;
    try {
      // Reading a pipe would wait for ever.
      if (!statSync(file).isFile()) throw new Error('It is no file.');
      text = readFileSync(file, 'utf8');
      this.#unread = false;
    } catch (error) {
      logger.error('A file can’t be read at the moment', { file, error: String(error) });
      this.#unread = true;
      return this.#last?.document;
    }
    const document = parseObject(text);
    if (document) this.#last = { key, document };
    else this.#tryToSetAside();
    return document;
  }

  write(document: unknown): void {
    const { file } = this.#options;
    // A link to where somebody keeps it stays a link.
    const target = this.#unread ? file : realPath(file);
    const temporary = `${target}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(temporary, JSON.stringify(document), { mode: 0o600, flush: true });
      if (this.#unread) this.#setAside();
      renameSync(temporary, target);
    } catch (error) {
      removeIfThere(temporary);
      throw new AppError('store-failed', 'The sign-in could not be stored.', {
        hint: 'Check that the disk has room and that its folder may be written to.',
        details: String(error),
        cause: error,
      });
    }
  }

  /** Tells one state of the file from another: a rename gives it another inode. */
  #key(): string | undefined {
    try {
      const { ino, mtimeNs, size } = statSync(this.#options.file, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch {
      return undefined;
    }
  }

  #setAside(): void {
    const { file, logger, onSetAside } = this.#options;
    const movedTo = setFileAside(file, 'damaged', Date.now());
    this.#unread = false;
    logger.error('A file can’t be read and was set aside', { file, movedTo });
    onSetAside({ file, movedTo });
  }

  #tryToSetAside(): void {
    const { file, logger } = this.#options;
    try {
      this.#setAside();
    } catch (error) {
      this.#unread = true;
      logger.error('A damaged file could not be set aside', { file, error: String(error) });
    }
  }
}

function parseObject(text: string): object | undefined {
  try {
    // Some editors put a byte order mark there.
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof document === 'object' && document !== null && !Array.isArray(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file; // not there yet
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it can't be written, it can't be removed either.
  }
}
