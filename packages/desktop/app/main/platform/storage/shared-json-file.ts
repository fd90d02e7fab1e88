import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../services/ports/errors.ts';
import type { DocumentStore, Logger } from '../../services/ports/infrastructure.ts';
import { setFileAside } from './set-aside.ts';

/**
 * A JSON object in a file that several processes of the app may write: each read sees what was written last, by whichever of
 * them. Written to a temporary file and renamed. A file that can't be read is set aside under a dated name.
 */
export class SharedJsonFile implements DocumentStore {
  readonly #file: string;
  readonly #logger: Logger;
  #last: { key: string; document: unknown } | undefined;

  /** @param file absolute path; its folder is made when missing */
  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  read(): unknown {
    const key = this.#key();
    if (key === undefined) return undefined;
    if (this.#last?.key === key) return this.#last.document;
    try {
      const document: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      if (typeof document !== 'object' || document === null) throw new Error('It holds no object.');
      this.#last = { key, document };
      return document;
    } catch (error) {
      this.#setAside(error);
      return undefined;
    }
  }

  write(document: unknown): void {
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      writeFileSync(temporary, JSON.stringify(document), { mode: 0o600, flush: true });
      renameSync(temporary, this.#file);
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
      const { ino, mtimeNs, size } = statSync(this.#file, { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch {
      return undefined;
    }
  }

  #setAside(error: unknown): void {
    try {
      const movedTo = setFileAside(this.#file, 'damaged', Date.now());
      this.#logger.error('A file can’t be read and was set aside', { file: this.#file, movedTo, error: String(error) });
    } catch (moveError) {
      this.#logger.error('A file can’t be read', { file: this.#file, error: String(moveError) });
    }
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where it can't be written, it can't be removed either.
  }
}
