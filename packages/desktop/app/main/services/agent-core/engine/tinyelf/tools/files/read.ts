import { z } from 'zod';
import type { ITool } from '../ITool.ts';
import { missingFile } from './close-names.ts';
import { type FileToolsDeps, fileTool, pathParameter, refuseOffLimits } from './file-tool.ts';
import { linesOf } from './line-ends.ts';
import { cutAround, plural, ResultLines, showName, showSize } from './presentation.ts';
import { readBytes } from './read-bytes.ts';
import { decode, type Encoding } from './text-encoding.ts';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const DEFAULT_LINES = 2000;
const MAX_LINE = 2000;
const ENCODINGS: Record<Encoding, string> = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE' };

export const readTool = ({ workspace, versions, judge }: FileToolsDeps): ITool =>
  fileTool({
    name: 'Read',
    description:
      `Reads a text file. Each line comes as its number, a tab, and the line. At most ${DEFAULT_LINES} lines at once and ` +
      `${MAX_LINE} characters of a line; read on with offset. UTF-8 and UTF-16; of other files it says what they are.`,
    parameters: z.object({
      path: pathParameter,
      offset: z.int().min(1).describe('Number of the first line. Default 1.').optional(),
      limit: z.int().min(1).max(DEFAULT_LINES).describe(`How many lines. Default ${DEFAULT_LINES}.`).optional(),
    }),
    risk: 'safe',
    access: (path) => ({ reads: [path] }),
    async execute({ path, offset = 1, limit = DEFAULT_LINES }) {
      const { real } = await workspace.resolve(path);
      const shown = showName(workspace.show(real));
      refuseOffLimits({ judge }, real, 'read', shown);
      const content = await readBytes(real, shown, MAX_FILE_BYTES);
      if (!content) throw await missingFile(workspace, real);
      const { bytes } = content;
      const decoded = decode(bytes);
      if (decoded.kind === 'binary') return `Error: ${shown} is no text: ${decoded.what}, ${showSize(bytes.length)}.`;

      versions.saw(real, bytes);
      if (decoded.text === '') return `(${shown} is empty.)`;
      const lines = linesOf(decoded.text);
      if (offset > lines.length) return `Error: ${shown} has only ${plural(lines.length, 'line')}.`;
      const result = new ResultLines();
      let cut = 0;
      for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
        if (!result.add(`${String(offset + index).padStart(6)}\t${cutAround(line, 0, MAX_LINE)}`)) break;
        if (line.length > MAX_LINE) cut++;
      }
      return result.toString(
        [
          notAll(offset, offset + result.count - 1, lines.length),
          cut > 0 && `(${plural(cut, 'line')} cut at ${MAX_LINE} characters.)`,
          decoded.encoding !== 'utf-8' && `(The file is in ${ENCODINGS[decoded.encoding]}.)`,
          !decoded.exact && '(Not valid UTF-8: what could not be read is shown as \ufffd.)',
        ]
          .filter(Boolean)
          .join('\n'),
      );
    },
  });

function notAll(first: number, last: number, all: number): string | false {
  if (first === 1 && last === all) return false;
  const more = last < all ? ` Read on with offset ${last + 1}.` : '';
  return `(Lines ${first} to ${last} of ${all}.${more})`;
}
