import { z } from 'zod';
import { AppError } from '../../../../../ports/errors.ts';
import type { ITool } from '../ITool.ts';
import { type CurrentFile, changeFile, previewChange } from './change-file.ts';
import { type FileToolsDeps, fileTool, pathParameter } from './file-tool.ts';
import type { FileVersions } from './file-versions.ts';
import { lineEndOf, linesOf, withLineEnd } from './line-ends.ts';
import { plural } from './presentation.ts';
import { decode, encode } from './text-encoding.ts';

export const writeTool = (deps: FileToolsDeps): ITool =>
  fileTool({
    name: 'Write',
    description:
      'Writes a text file of the workspace, and the folders that are missing. A file that exists is replaced as a whole, ' +
      'only after you have read it, and keeps its encoding, line ends and permissions. Use Edit to change a part.',
    parameters: z.object({
      path: pathParameter,
      content: z.string().describe('The whole new content.'),
    }),
    risk: 'edit',
    access: (path) => ({ writes: [path] }),
    preview: ({ path, content }) =>
      previewChange(deps, path, (current) => newContent(current, content, deps.versions), { after: content }),
    async execute({ path, content }, context) {
      const made = await changeFile(deps, path, context, (current) => newContent(current, content, deps.versions));
      if (!made.changed) return `${made.shown} is just so already; nothing was changed.`;
      if (made.created) return `Created ${made.shown} (${plural(linesOf(content).length, 'line')}).`;
      return `Wrote ${made.shown} (+${made.added} −${made.removed} lines).`;
    },
  });

function newContent({ real, shown, content }: CurrentFile, text: string, versions: FileVersions): Buffer {
  if (!content) return Buffer.from(text, 'utf8');
  const decoded = decode(content.bytes);
  if (decoded.kind === 'binary') {
    throw new AppError('binary-file', `${shown} is no text: ${decoded.what}.`, { hint: 'Write replaces only text.' });
  }
  const state = versions.compare(real, content.bytes);
  if (state === 'unread') {
    throw new AppError('not-read', `${shown} exists, and you haven't read it.`, {
      hint: 'Read it first, or use Edit to change a part.',
    });
  }
  if (state === 'changed') throw changedSinceRead(shown);
  const lineEnd = lineEndOf(decoded.text);
  // Bytes that were no UTF-8 are gone with the old content.
  const { encoding, bom } = decoded;
  const bare = bom ? text.replace(/^\ufeff/, '') : text;
  return encode(lineEnd ? withLineEnd(bare, lineEnd) : bare, encoding, bom);
}

export const changedSinceRead = (shown: string): AppError =>
  new AppError('changed-since-read', `${shown} has changed since you read it.`, { hint: 'Read it again.' });
