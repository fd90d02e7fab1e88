import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openFile } from './tools/files/read-bytes.ts';
import { isInside, type Workspace } from './workspace.ts';

export const MEMORY_FILE = 'AGENTS.md';
/** Longest beginning that a model gets to read, in UTF-16 units. */
const MAX_CHARACTERS = 2000;
/** No unit takes more bytes than this in UTF-8. */
const MAX_BYTES = MAX_CHARACTERS * 3;

/**
 * The beginning of what the workspace says to agents; undefined when it says nothing. A link that leads out of the workspace
 * isn't followed, nor one to a file that must not be read unasked: whoever wrote the link must not choose what else of this
 * computer a provider gets to see.
 *
 * @param mayRead whether a path, links followed, may be read without asking
 */
export async function readMemoryFile(
  workspace: Workspace,
  mayRead: (real: string) => boolean,
): Promise<string | undefined> {
  try {
    // Before every request: most workspaces have none, and then this is all that it costs.
    const real = await realpath(join(workspace.root, MEMORY_FILE));
    if (!isInside(workspace.root, real) || !mayRead(real)) return undefined;
    await using file = await openFile(real, MEMORY_FILE);
    // With `stream` a character that is cut at the end is left out.
    const text = new TextDecoder().decode(await readBeginning(file), { stream: true });
    return text.slice(0, MAX_CHARACTERS).trim() || undefined;
  } catch {
    // One that can't be read must not keep a run from going on.
    return undefined;
  }
}

async function readBeginning(file: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}
