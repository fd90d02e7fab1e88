import type { DiffDisplay } from '@shared/contracts/message-types.ts';
import { AppError } from '../../../../../ports/errors.ts';
import { unifiedDiff } from '../../changes/unified-diff.ts';
import type { ToolContext } from '../ITool.ts';
import { fileError } from './file-errors.ts';
import { fileQueue } from './file-queue.ts';
import { type FileToolsDeps, inWords, refuseOffLimits } from './file-tool.ts';
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

type ChangePlace = Pick<FileToolsDeps, 'workspace' | 'judge'>;

/** Gives the new content of a file. What it throws leaves everything as it was. */
type MakeContent = (current: CurrentFile) => Buffer | Promise<Buffer>;

export interface MadeChange {
  shown: string;
  created: boolean;
  /** Lines. Both 0 when the file is as it was. */
  added: number;
  removed: number;
  changed: boolean;
}

/**
 * Changes a file of the workspace: one change of a file at a time, atomic, in the journal, shown as a diff. Throws AppError for
 * paths outside the workspace, whatever the firewall said.
 */
export async function changeFile(
  { workspace, changes, conversationId, versions, judge }: FileToolsDeps,
  path: string,
  context: ToolContext,
  make: MakeContent,
): Promise<MadeChange> {
  const first = await workspace.resolve(path);
  return fileQueue.run(first.real, async () => {
    context.signal?.throwIfAborted();
    // Where it leads elsewhere now, it waited in the queue of another file.
    const { real, shown, content, after } = await plan({ workspace, judge }, path, make, first.real);
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

/**
 * What {@link changeFile} would do to a file as it is now; nothing is written. Where that can't be done, the display says why,
 * and shows the difference of `texts`: those that the call gives. `diff` is whole.
 */
export async function previewChange(
  deps: ChangePlace,
  path: string,
  make: MakeContent,
  texts: { before?: string; after: string },
): Promise<DiffDisplay> {
  try {
    const { real, content, after } = await plan(deps, path, make);
    const shown = deps.workspace.show(real);
    return { kind: 'diff', path: shown, ...unifiedDiff(shown, content?.bytes, after) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const before = texts.before === undefined ? undefined : Buffer.from(texts.before);
    return { kind: 'diff', path, ...unifiedDiff(path, before, Buffer.from(texts.after)), problem: inWords(error) };
  }
}

/** @param expected where the path must lead. Default: anywhere in the workspace */
async function plan(
  { workspace, judge }: ChangePlace,
  path: string,
  make: MakeContent,
  expected?: string,
): Promise<CurrentFile & { after: Buffer }> {
  const { real, inside } = await workspace.resolve(path);
  const shown = showName(workspace.show(real));
  if (!inside) {
    throw new AppError('outside-workspace', `${shown} is outside the workspace.`, {
      hint: `Only files below ${workspace.root} can be changed.`,
    });
  }
  if (expected !== undefined && real !== expected) throw pathChanged(shown);
  refuseOffLimits({ judge }, real, 'write', shown);
  const content = await readBytes(real, shown, MAX_FILE_BYTES);
  const after = await make({ real, shown, content });
  if (after.length > MAX_FILE_BYTES) throw new AppError('file-too-large', `${shown} would be larger than 10 MB.`);
  return { real, shown, content, after };
}

/** A diff as it goes with a call, cut at a line end when it is long. */
export function cutDiff(diff: string): string {
  if (diff.length <= MAX_DIFF) return diff;
  const end = diff.lastIndexOf('\n', MAX_DIFF);
  return diff.slice(0, end > 0 ? end + 1 : MAX_DIFF).replace(/[\ud800-\udbff]$/, '');
}
