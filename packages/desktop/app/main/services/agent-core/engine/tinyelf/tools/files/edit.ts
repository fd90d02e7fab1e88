import { z } from 'zod';
import { AppError } from '../../../../../ports/errors.ts';
import { similarity } from '../../../../../ports/similarity.ts';
import type { ITool } from '../ITool.ts';
import { type CurrentFile, changeFile, previewChange } from './change-file.ts';
import { missingFile } from './close-names.ts';
import { type FileToolsDeps, fileTool, pathParameter } from './file-tool.ts';
import { linesOf, toLf } from './line-ends.ts';
import { cutAround, plural } from './presentation.ts';
import { replaceText } from './replace-text.ts';
import { decode, encode } from './text-encoding.ts';
import { changedSinceRead } from './write.ts';

/** Lines that are looked at for the closest one, and characters of each. */
const COMPARED_LINES = 20_000;
const COMPARED_LENGTH = 300;

/**
 * A file that wasn't read may be edited when the old text is there exactly once: that proves that it is known well enough.
 * `replace_all` doesn't, so it wants the file read.
 */
export const editTool = (deps: FileToolsDeps): ITool =>
  fileTool({
    name: 'Edit',
    description:
      'Replaces text in a file of the workspace. old_text must be there exactly once, white space included, unless ' +
      'replace_all is true: give enough lines around it. No line numbers of Read in it. Line ends, encoding and ' +
      'permissions of the file stay.',
    parameters: z.object({
      path: pathParameter,
      old_text: z.string().describe('What is there now.'),
      new_text: z.string().describe('What takes its place; empty to remove it.'),
      replace_all: z.boolean().describe('Replaces old_text wherever it is. Default false.').optional(),
    }),
    risk: 'edit',
    access: (path) => ({ writes: [path] }),
    preview: ({ path, old_text, new_text, replace_all = false }) =>
      previewChange(deps, path, async (current) => (await edit(deps, current, old_text, new_text, replace_all)).bytes, {
        before: old_text,
        after: new_text,
      }),
    async execute({ path, old_text, new_text, replace_all = false }, context) {
      let count = 0;
      const made = await changeFile(deps, path, context, async (current) => {
        const edited = await edit(deps, current, old_text, new_text, replace_all);
        count = edited.count;
        return edited.bytes;
      });
      return `Edited ${made.shown}: ${plural(count, 'replacement')} (+${made.added} −${made.removed} lines).`;
    },
  });

async function edit(
  { workspace, versions }: FileToolsDeps,
  { real, shown, content }: CurrentFile,
  oldText: string,
  newText: string,
  all: boolean,
): Promise<{ bytes: Buffer; count: number }> {
  if (oldText === '') throw new AppError('invalid-edit', 'old_text is empty.', { hint: 'Use Write for a new file.' });
  if (toLf(oldText) === toLf(newText)) throw new AppError('invalid-edit', 'old_text and new_text are the same.');
  if (!content) throw await missingFile(workspace, real);
  const decoded = decode(content.bytes);
  if (decoded.kind === 'binary') throw new AppError('binary-file', `${shown} is no text: ${decoded.what}.`);
  if (!decoded.exact) {
    throw new AppError('unknown-encoding', `${shown} is in an encoding other than UTF-8 and UTF-16.`, {
      hint: 'Edit would damage it. Convert it first, or change it with Bash.',
    });
  }
  const state = versions.compare(real, content.bytes);
  if (state === 'changed') throw changedSinceRead(shown);
  if (state === 'unread' && all) {
    throw new AppError('not-read', `You haven't read ${shown}.`, { hint: 'Read it before you use replace_all.' });
  }
  const { text, count, lines } = replaceText(decoded.text, oldText, newText);
  if (count === 0) {
    throw new AppError('text-missing', `old_text is not in ${shown}.`, { hint: closest(decoded.text, oldText) });
  }
  if (lines.length > 1 && !all) {
    const places = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
    throw new AppError('text-ambiguous', `old_text is in ${shown} ${lines.length} times, on lines ${places}.`, {
      hint: 'Give more of what is around it, or set replace_all.',
    });
  }
  return { bytes: encode(text, decoded.encoding, decoded.bom), count };
}

/** Says which line of a text is most like the first line of `wanted` that says anything. */
function closest(text: string, wanted: string): string {
  const first = linesOf(wanted).find((line) => line.trim() !== '');
  if (first === undefined) return 'It has only white space in it: give some text around it too.';
  const short = first.trim().slice(0, COMPARED_LENGTH);
  let best = { rating: 0, number: 0, line: '' };
  for (const [index, line] of linesOf(text).slice(0, COMPARED_LINES).entries()) {
    const rating = similarity(short, line.trim().slice(0, COMPARED_LENGTH));
    if (rating > best.rating) best = { rating, number: index + 1, line };
  }
  if (best.rating < 0.5) return 'No line of it is similar. Read the file again.';
  const found = `Line ${best.number} is ${JSON.stringify(cutAround(best.line, 0, COMPARED_LENGTH))}`;
  if (best.line === first) return `${found}, as old_text has it, but what follows or comes before differs.`;
  const isSpace = best.rating === 1 && short === best.line.trim();
  return isSpace ? `${found}: the white space differs.` : `${found}: that comes closest.`;
}
