import { z } from 'zod';
import type { ITool } from '../ITool.ts';
import { type FileToolsDeps, fileTool, pathParameter } from './file-tool.ts';
import { plural, ResultLines, showName } from './presentation.ts';
import { runSearch } from './search/run-search.ts';
import { gapNotes, relativePattern, searchPlace } from './search-place.ts';

const DEFAULT_LIMIT = 500;

/** Said by both tools: it is one dialect. */
export const PATTERN_HELP =
  '* (within a name), ** (any folders), ?, [a-z], {a,b}, and ! in front for everything else. Without / it matches the name ' +
  'in any folder.';

export const includeIgnoredParameter = z
  .boolean()
  .describe('Also what .gitignore files name, node_modules and .git. Default false.')
  .optional();

export const globTool = ({ workspace, judge, searchLimitMs }: FileToolsDeps): ITool =>
  fileTool({
    name: 'Glob',
    description:
      `Finds files by a pattern of their paths: ${PATTERN_HELP} Files that .gitignore names, node_modules and .git are left ` +
      'out; links to folders are not followed.',
    parameters: z.object({
      pattern: z.string().min(1).max(1000).describe('Relative to path, such as src/**/*.ts or *.{md,txt}.'),
      path: pathParameter.describe('The folder to search. Default: the workspace.').optional(),
      include_ignored: includeIgnoredParameter,
      limit: z.int().min(1).max(5000).describe(`How many files. Default ${DEFAULT_LIMIT}.`).optional(),
    }),
    risk: 'safe',
    access: (path) => ({ reads: [path] }),
    async execute({ pattern, path = '.', include_ignored = false, limit = DEFAULT_LIMIT }, { signal }) {
      const { root, top, isFile } = await searchPlace({ workspace, judge }, path);
      if (isFile) return `Error: ${showName(workspace.show(root))} is a file. Name a folder in path.`;
      const found = await runSearch(
        { kind: 'glob', root, top, includeIgnored: include_ignored, pattern: relativePattern(pattern, root), limit },
        { limitMs: searchLimitMs, signal },
      );
      const result = new ResultLines();
      const rest = found.files.findIndex((file) => !result.add(showName(workspace.show(file))));
      const notes = gapNotes({ ...found, more: found.more || rest !== -1 }, plural(result.count, 'file'));
      return result.count > 0 ? result.toString(notes.join('\n')) : ['No file matches.', ...notes].join('\n');
    },
  });
