import { createHash } from 'node:crypto';

/** What a model has last seen of files, by real path. Kept in memory: after a restart it has to read them again. */
export class FileVersions {
  readonly #seen = new Map<string, string>();

  /** The model knows this content of the file now, or a part of it. */
  saw(real: string, content: Buffer): void {
    this.#seen.set(real, hash(content));
  }

  compare(real: string, content: Buffer): 'same' | 'changed' | 'unread' {
    const seen = this.#seen.get(real);
    if (seen === undefined) return 'unread';
    return seen === hash(content) ? 'same' : 'changed';
  }
}

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
