import { randomUUID } from 'node:crypto';
import { lstat, realpath, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { FileChange } from '@shared/contracts/agent-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { EventSink } from '../../../../ports/events.ts';
import type { Clock, Logger } from '../../../../ports/infrastructure.ts';
import { KeyedQueue } from '../../../../ports/keyed-queue.ts';
import { fileError } from '../tools/files/file-errors.ts';
import { fileQueue } from '../tools/files/file-queue.ts';
import { inPinnedFolder } from '../tools/files/pinned.ts';
import { readBytes } from '../tools/files/read-bytes.ts';
import { type Kept, writeAtomic } from '../tools/files/write-atomic.ts';
import { ChangeStore, hashOf, type StoredChange } from './change-store.ts';
import { type Difference, unifiedDiff } from './unified-diff.ts';

export interface FileChangesOptions {
  /** Holds a folder per run. Made when needed. */
  folder: string;
  events: EventSink;
  logger: Logger;
  clock?: Clock;
  /** What the contents of all runs may take together. Default 512 MiB. */
  maxBytes?: number;
}

/** A change that is about to be made. */
export interface NewChange {
  callId: string;
  /** For people; see FileChange. */
  path: string;
  /** Absolute, links followed. */
  real: string;
  /** undefined for a new file. */
  before: { bytes: Buffer; stat: Pick<Kept, 'mode'> } | undefined;
  after: Buffer;
}

/** The largest file that undo compares before it writes: larger ones have surely changed. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * The journal of what runs changed in files: on disk, so that it survives a restart. A change is written down before it is
 * made. When the contents of all runs outgrow `maxBytes`, the oldest are removed first: their changes stay in the list, but
 * what needs those contents, showing and undoing, is refused (`not-found`).
 */
export class FileChanges {
  readonly #options: FileChangesOptions;
  readonly #store: ChangeStore;
  /** Lists are read, changed and written as a whole: one run at a time. */
  readonly #runs = new KeyedQueue();

  constructor(options: FileChangesOptions) {
    this.#options = options;
    this.#store = new ChangeStore(options.folder, options.maxBytes ?? 512 * 1024 * 1024, options.logger);
  }

  /**
   * Writes a change down and makes it by `apply`; when that throws, nothing stays written down. Whoever calls holds the
   * file in the `fileQueue`. Throws AppError `store-failed` without having called `apply`.
   */
  record(conversationId: string, change: NewChange, apply: () => Promise<void>): Promise<Difference & FileChange> {
    return this.#runs.run(conversationId, async () => {
      const { before, after } = change;
      const changes = await this.#store.list(conversationId);
      const difference = unifiedDiff(change.path, before?.bytes, after);
      const stored: StoredChange = {
        change: {
          id: randomUUID(),
          callId: change.callId,
          path: change.path,
          kind: before ? 'edited' : 'created',
          added: difference.added,
          removed: difference.removed,
          at: (this.#options.clock ?? Date).now(),
          undone: false,
        },
        real: change.real,
        before: before ? await this.#store.keep(conversationId, before.bytes) : null,
        after: await this.#store.keep(conversationId, after),
        ...(before && { mode: before.stat.mode }),
      };
      await this.#store.save(conversationId, [...changes, stored]);
      try {
        await apply();
      } catch (error) {
        await this.#store.save(conversationId, changes);
        throw error;
      }
      await this.#store.makeRoom(new Set([stored.before ?? '', stored.after]));
      this.#emit(conversationId, stored.change);
      return { ...stored.change, ...difference };
    });
  }

  /** Oldest first; empty for a run that changed nothing. */
  async list(conversationId: string): Promise<FileChange[]> {
    return (await this.#store.list(conversationId)).map(({ change }) => change);
  }

  /** A unified diff. Throws AppError `not-found` when there is no such change or its contents aren't kept any more. */
  async diff(conversationId: string, changeId: string): Promise<string> {
    const stored = find(await this.#store.list(conversationId), changeId);
    const before = stored.before === null ? undefined : await this.#content(conversationId, stored.before);
    return unifiedDiff(stored.change.path, before, await this.#content(conversationId, stored.after)).diff;
  }

  /**
   * Puts the file back to what it was before the change, with its permissions; a file that was created is removed (folders
   * stay). Throws AppError `changed-since` when the file isn't as the change left it, later changes of the run included;
   * `force` undoes it all the same, and loses them. `already-undone`, `not-found` and `undo-failed` say what they mean.
   */
  async undo(conversationId: string, changeId: string, { force = false } = {}): Promise<FileChange> {
    const { real } = find(await this.#store.list(conversationId), changeId);
    return fileQueue.run(real, () =>
      this.#runs.run(conversationId, async () => {
        const changes = await this.#store.list(conversationId);
        const stored = find(changes, changeId);
        const shown = stored.change.path;
        if (stored.change.undone) throw new AppError('already-undone', `This change of ${shown} was undone before.`);
        const before = stored.before === null ? null : await this.#content(conversationId, stored.before);

        const current = await currentHash(real, shown);
        // What was written down but not made, since the app was killed in between, is undone already.
        if (current !== stored.before) {
          if (current !== stored.after && !force) throw changedSince(shown);
          await restore(real, shown, before, stored.mode);
        }
        stored.change.undone = true;
        await this.#store.save(conversationId, changes);
        this.#emit(conversationId, stored.change);
        return stored.change;
      }),
    );
  }

  /** Forgets a run that is deleted for good; what it changed stays made. Doesn't throw. */
  forget(conversationId: string): void {
    this.#store.removeSync(conversationId);
  }

  /**
   * Forgets the runs that aren't there any more, as when one could not be forgotten as it was deleted. Doesn't throw.
   * @param stored asked once for the ids of all conversations; undefined when they aren't known: nothing is forgotten then
   */
  keepOnly(stored: () => ReadonlySet<string> | undefined): Promise<void> {
    return this.#store.keepOnly(stored);
  }

  async #content(conversationId: string, hash: string): Promise<Buffer> {
    const content = await this.#store.content(conversationId, hash);
    if (content) return content;
    throw new AppError('not-found', 'What this change replaced is not kept any more.', {
      hint: 'The oldest contents are removed when all runs together have changed too much.',
    });
  }

  #emit(conversationId: string, change: FileChange): void {
    this.#options.events.emit({ type: 'agent.fileChanged', payload: { conversationId, change: { ...change } } });
  }
}

function find(changes: readonly StoredChange[], changeId: string): StoredChange {
  const stored = changes.find(({ change }) => change.id === changeId);
  if (!stored) throw new AppError('not-found', 'There is no such change.');
  return stored;
}

/** null when there is no file; `other` for what can't be as a change left it. */
async function currentHash(real: string, shown: string): Promise<string | null> {
  try {
    const current = await readBytes(real, shown, MAX_FILE_BYTES);
    return current ? hashOf(current.bytes) : null;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'file-failed') return 'other';
    throw undoFailed(shown, error);
  }
}

async function restore(real: string, shown: string, before: Buffer | null, mode: number | undefined): Promise<void> {
  const folder = path.dirname(real);
  const follows = await realpath(folder).catch(() => folder);
  const stat = await lstat(real).catch(() => undefined);
  // Not even by force: following a link now would change a file that the run never touched.
  if (follows !== folder || (stat && !stat.isFile())) throw changedSince(shown);
  try {
    if (before) await writeAtomic(real, before, { mode });
    else if (stat) await inPinnedFolder(folder, (pinned) => unlink(path.join(pinned, path.basename(real))));
  } catch (error) {
    throw undoFailed(shown, error);
  }
}

const changedSince = (shown: string): AppError =>
  new AppError('changed-since', `${shown} is not any more as this change left it.`, {
    hint: 'Undo later changes first, or undo this one all the same and lose them.',
  });

function undoFailed(shown: string, cause: unknown): AppError {
  return new AppError('undo-failed', fileError('written', shown, cause).message, {
    hint: 'Check that the file and its folder may be written, and try again.',
    cause,
  });
}
