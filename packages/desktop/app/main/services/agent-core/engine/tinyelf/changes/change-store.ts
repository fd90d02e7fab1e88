import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { fileChangeSchema } from '@shared/contracts/agent-types.ts';
import { z } from 'zod';
import { AppError } from '../../../../ports/errors.ts';
import type { Logger } from '../../../../ports/infrastructure.ts';
import { writeAtomic } from '../tools/files/write-atomic.ts';

const storedChangeSchema = z.strictObject({
  change: fileChangeSchema,
  /** Absolute, links followed. */
  real: z.string(),
  /** Hashes of contents; null when there was no file. */
  before: z.string().nullable(),
  after: z.string(),
  /** Permissions of the file before. */
  mode: z.number().optional(),
});
/** A change with what it takes to undo it. */
export type StoredChange = z.infer<typeof storedChangeSchema>;

const INDEX = 'changes.json';
const CONTENT = /^[\da-f]{64}$/;
const PRIVATE = { mode: 0o600 };

export const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** The files of the journal: per conversation one list, and one file per content, named by its hash. */
export class ChangeStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #logger: Logger;
  /** Of all contents; undefined until it is needed. */
  #bytes: number | undefined;

  constructor(folder: string, maxBytes: number, logger: Logger) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#logger = logger;
  }

  /** Oldest first. A damaged list is set aside. */
  async list(conversationId: string): Promise<StoredChange[]> {
    const file = path.join(this.#runFolder(conversationId), INDEX);
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw failed('The list of changes of this run could not be read.', error);
    }
    try {
      return z.array(storedChangeSchema).parse(JSON.parse(text));
    } catch (error) {
      const aside = `${file}.damaged-${Date.now()}`;
      await rename(file, aside);
      this.#logger.error('A damaged list of file changes was set aside', { movedTo: aside, error: String(error) });
      return [];
    }
  }

  async save(conversationId: string, changes: readonly StoredChange[]): Promise<void> {
    try {
      const text = Buffer.from(JSON.stringify(changes, undefined, '\t'));
      await writeAtomic(await this.#place(conversationId, INDEX), text, PRIVATE);
    } catch (error) {
      throw failed('The list of changes of this run could not be stored.', error);
    }
  }

  /** Gives the hash. A content that is there already counts as new. */
  async keep(conversationId: string, content: Buffer): Promise<string> {
    const hash = hashOf(content);
    try {
      const file = await this.#place(conversationId, hash);
      const now = new Date();
      const isThere = await utimes(file, now, now).then(
        () => true,
        () => false,
      );
      if (!isThere) {
        await writeAtomic(file, content, PRIVATE);
        if (this.#bytes !== undefined) this.#bytes += content.length;
      }
    } catch (error) {
      throw failed('What the file was before could not be stored.', error);
    }
    return hash;
  }

  /** undefined when it isn't kept any more. */
  async content(conversationId: string, hash: string): Promise<Buffer | undefined> {
    try {
      return await readFile(path.join(this.#runFolder(conversationId), hash));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw failed('What the file was before could not be read.', error);
    }
  }

  /** All of a run at once: an app that ends doesn't wait for more. Doesn't throw. */
  removeSync(conversationId: string): void {
    try {
      rmSync(this.#runFolder(conversationId), { recursive: true, force: true });
      this.#bytes = undefined;
    } catch (error) {
      this.#logger.warn('What a removed run changed could not be forgotten', { conversationId, error: String(error) });
    }
  }

  /** Removes the folders of all runs but those that `stored` names; see FileChanges. Doesn't throw. */
  async keepOnly(stored: () => ReadonlySet<string> | undefined): Promise<void> {
    try {
      const runs = (await readdir(this.#folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
      // Asked after the look: a run that begins meanwhile is in no list that was read before.
      const ids = stored();
      if (!ids) return;
      for (const { name } of runs) {
        if (ids.has(name)) continue;
        this.#bytes = undefined;
        await rm(path.join(this.#folder, name), { recursive: true, force: true });
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.#logger.warn('Changes of removed runs could not be forgotten', { error: String(error) });
    }
  }

  /** Removes the oldest contents of all runs until they fit; `spared` stay. Doesn't throw: it comes after the change. */
  async makeRoom(spared: ReadonlySet<string>): Promise<void> {
    if (this.#bytes !== undefined && this.#bytes <= this.#maxBytes) return;
    try {
      await this.#removeOldest(spared);
    } catch (error) {
      this.#logger.warn('Old contents of changed files could not be removed', { error: String(error) });
    }
  }

  async #removeOldest(spared: ReadonlySet<string>): Promise<void> {
    const contents = (await this.#contents()).sort((a, b) => a.time - b.time);
    let bytes = contents.reduce((sum, { size }) => sum + size, 0);
    for (const { file, hash, size } of contents) {
      if (bytes <= this.#maxBytes) break;
      if (spared.has(hash)) continue;
      await rm(file, { force: true });
      bytes -= size;
    }
    this.#bytes = bytes;
  }

  async #contents(): Promise<{ file: string; hash: string; size: number; time: number }[]> {
    const found = [];
    for (const run of await readdir(this.#folder, { withFileTypes: true })) {
      if (!run.isDirectory()) continue;
      for (const hash of await readdir(path.join(this.#folder, run.name))) {
        if (!CONTENT.test(hash)) continue;
        const file = path.join(this.#folder, run.name, hash);
        // Another run's may be removed at this moment.
        const { size = 0, mtimeMs = 0 } = (await stat(file).catch(() => undefined)) ?? {};
        found.push({ file, hash, size, time: mtimeMs });
      }
    }
    return found;
  }

  /** A file to be written; its folder is made, for the person alone, and links to it are followed. */
  async #place(conversationId: string, name: string): Promise<string> {
    const folder = this.#runFolder(conversationId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return path.join(await realpath(folder), name);
  }

  #runFolder(conversationId: string): string {
    if (!/^[\w-]{1,200}$/.test(conversationId)) throw new AppError('not-found', 'There is no such run.');
    return path.join(this.#folder, conversationId);
  }
}

function failed(message: string, cause: unknown): AppError {
  return new AppError('store-failed', message, {
    hint: 'Check that there is room on the disk and that the app may write to its data folder.',
    details: cause instanceof Error ? cause.message : String(cause),
    cause,
  });
}
