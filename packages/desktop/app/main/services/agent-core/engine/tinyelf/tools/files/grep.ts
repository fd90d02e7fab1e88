import { z } from 'zod';
import { AppError } from '../../../../../ports/errors.ts';
import { isInside } from '../../workspace.ts';
import type { ITool } from '../ITool.ts';
import { type FileToolsDeps, fileTool, pathParameter } from './file-tool.ts';
import { includeIgnoredParameter, PATTERN_HELP } from './glob.ts';
import { plural, ResultLines, showName } from './presentation.ts';
import { runSearch } from './search/run-search.ts';
import type { GrepFile } from './search/search-types.ts';
import { gapNotes, relativePattern, searchPlace } from './search-place.ts';

const DEFAULT_LIMIT = 200;

export const grepTool = ({ workspace, judge, searchLimitMs }: FileToolsDeps): ITool =>
  fileTool({
    name: 'Grep',
    description:
      'Finds lines that match a regular expression of JavaScript (no flags; \\p{…} works). Matches are path:line: text, lines ' +
      'around them path-line- text. Binary files, what .gitignore names, node_modules and .git are left out; links are not ' +
      'followed.',
    parameters: z.object({
      pattern: z.string().min(1).max(10_000).describe('The expression. It is matched within one line.'),
      path: pathParameter.describe('The folder or file to search. Default: the workspace.').optional(),
      glob: z.string().min(1).max(1000).describe(`Only files that match: ${PATTERN_HELP}`).optional(),
      ignore_case: z.boolean().describe('Default false.').optional(),
      context: z.int().min(0).max(20).describe('Lines before and after each match. Default 0.').optional(),
      mode: z
        .enum(['lines', 'files', 'count'])
        .describe('lines: what matches (default). files: only paths. count: matching lines per file.')
        .optional(),
      include_ignored: includeIgnoredParameter,
      limit: z
        .int()
        .min(1)
        .max(2000)
        .describe(`How many matching lines, or files in the other modes. Default ${DEFAULT_LIMIT}.`)
        .optional(),
    }),
    risk: 'safe',
    access: (path) => ({ reads: [path] }),
    async execute(params, { signal }) {
      const { pattern, path = '.', glob, context = 0, mode = 'lines', limit = DEFAULT_LIMIT } = params;
      const flags = (params.ignore_case ? 'i' : '') + (/\\p\{|\\u\{/i.test(pattern) ? 'u' : '');
      checkExpression(pattern, flags);
      const { root, top, isFile } = await searchPlace({ workspace, judge }, path);
      const found = await runSearch(
        {
          kind: 'grep',
          root,
          top,
          includeIgnored: params.include_ignored ?? false,
          source: pattern,
          flags,
          glob: glob && relativePattern(glob, root),
          mode,
          context,
          limit,
        },
        { limitMs: searchLimitMs, signal },
      );
      // The firewall has looked at this path alone. Of a folder that isn't in the workspace the person was asked as a whole.
      const wasAsked = (real: string) => isFile || !isInside(workspace.root, real);
      const files = found.files.filter(({ real }) => {
        const decision = judge(real, 'read');
        return decision === 'allow' || (decision === 'ask' && wasAsked(real));
      });
      const kept = found.files.length - files.length;
      const result = new ResultLines();
      const isFull = !files.every((file) => addFile(result, file, showName(workspace.show(file.real)), mode, context));
      const shown = mode === 'lines' ? 'matches' : plural(result.count, 'file');
      const notes = [
        ...gapNotes({ ...found, more: found.more || isFull }, shown),
        ...(kept > 0 ? [`(${plural(kept, 'file')} left out: what is in them may not be read.)`] : []),
      ].join('\n');
      return result.count > 0 ? result.toString(notes) : ['Nothing matches.', notes].filter(Boolean).join('\n');
    },
  });

function checkExpression(source: string, flags: string): void {
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new AppError('invalid-pattern', `This is no regular expression of JavaScript: ${(error as Error).message}`, {
      hint: 'Put \\ before characters that are meant as they are.',
    });
  }
}

/** False when the result is full. */
function addFile(result: ResultLines, file: GrepFile, name: string, mode: string, context: number): boolean {
  if (mode === 'files') return result.add(name);
  if (mode === 'count') return result.add(`${name}: ${file.count}`);
  // Far from the first line, too.
  let last = -1;
  for (const { number, text, isMatch } of file.lines) {
    // Between places that don't touch, as grep does.
    const isApart = context > 0 && result.count > 0 && number !== last + 1;
    if (isApart && !result.add('--')) return false;
    if (!result.add(isMatch ? `${name}:${number}: ${text}` : `${name}-${number}- ${text}`)) return false;
    last = number;
  }
  return true;
}
