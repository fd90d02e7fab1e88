import { AppError } from '../../../../../ports/errors.ts';
import type { ToolContext } from '../ITool.ts';
import { fileError } from './file-errors.ts';
import { fileQueue } from './file-queue.ts';
import { type FileToolsDeps, refuseOffLimits } from './file-tool.ts';
import { pathChanged } from './pinned.ts';
import { showName } from './presentation.ts';
import { type FileContent, readBytes } from './read-bytes.ts';
import { writeAtomic } from './write-atomic.ts';

/** Also the limit of what is written: a file must not become one that can't be read. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Characters of a diff that are shown beside a result. */
const MAX_DIFF = 50_000;

/** A file as it is, before a change. */
export interface CurrentFile {
  real: string;
  shown: string;
  /** undefined when there is no such file yet. */
  content: FileContent | undefined;
}

export interface MadeChange {
  shown: string;
  created: boolean;
  /** Lines. Both 0 when the file is as it was. */
  added: number;
  removed: number;
  changed: boolean;
}

/**
 * Changes a file of the workspace: one change of a file at a time, atomic, in the journal, shown as a diff. `make` gives the
 * new content; what it throws leaves everything as it was. Throws AppError for paths outside the workspace, whatever the
 * firewall said.
 */
export async function changeFile(
  { workspace, changes, conversationId, versions, judge }: FileToolsDeps,
  path: string,
  context: ToolContext,
  make: (current: CurrentFile) => Buffer | Promise<Buffer>,
): Promise<MadeChange> {
  const first = await workspace.resolve(path);
  return fileQueue.run(first.real, async () => {
    context.signal?.throwIfAborted();
    const { real, inside } = await workspace.resolve(path);
    const shown = showName(workspace.show(real));
    if (!inside) {
      throw new AppError('outside-workspace', `${shown} is outside the workspace.`, {
        hint: `Only files below ${workspace.root} can be changed.`,
      });
    }
    // It waited in the queue of another file.
    if (real !== first.real) throw pathChanged(shown);
    refuseOffLimits({ judge }, real, 'write', shown);

    const content = await readBytes(real, shown, MAX_FILE_BYTES);
    const after = await make({ real, shown, content });
    if (after.length > MAX_FILE_BYTES) throw new AppError('file-too-large', `${shown} would be larger than 10 MB.`);
    const created = content === undefined;
    if (content?.bytes.equals(after)) {
      versions.saw(real, after);
      return { shown, created, added: 0, removed: 0, changed: false };
    }

    const change = await changes.record(
      conversationId,
      { callId: context.callId ?? '', path: workspace.show(real), real, before: content, after },
      () =>
        writeAtomic(real, after, content?.stat).catch((error) => {
          throw fileError('written', shown, error);
        }),
    );
    versions.saw(real, after);
    const { id: changeId, diff, added, removed } = change;
    context.onDisplay?.({ kind: 'diff', changeId, path: change.path, diff: cutDiff(diff), added, removed });
    return { shown, created, added, removed, changed: true };
  });
}

/** At a line end, so that what is left can be shown. */
function cutDiff(diff: string): string {
  if (diff.length <= MAX_DIFF) return diff;
  const end = diff.lastIndexOf('\n', MAX_DIFF);
  return diff.slice(0, end > 0 ? end + 1 : MAX_DIFF).replace(/[\ud800-\udbff]$/, '');
}
