import type { RejectedTool } from '@shared/contracts/mcp-types.ts';
import { readTool, type ToolDefinition } from './lenient-tools.ts';
import { type Cursor, type ListPagesOptions, readListPages } from './list-pages.ts';

export interface ListedTools {
  tools: ToolDefinition[];
  rejected: RejectedTool[];
  /** What was odd about the listing as a whole, for the log. */
  warnings: string[];
  /** How long the list holds by the server's own word, in milliseconds. Undefined: until the server says that it changed. */
  ttlMs?: number;
}

/**
 * Reads a list of tools page by page; see {@link readListPages}. Of tools with the same name the first counts.
 * @param page asks for the page at a cursor and gives the raw result
 */
export async function readToolPages(
  page: (cursor: Cursor | undefined) => Promise<unknown>,
  limits: Pick<ListPagesOptions<ToolDefinition>, 'maxMs' | 'maxCharacters' | 'mayEndEarly'> = {},
): Promise<ListedTools> {
  const options = { field: 'tools', things: 'tools', read: readTool, keyOf: nameOf, ...limits };
  const { entries, rejected, warnings, ttlMs } = await readListPages<ToolDefinition>(page, options);
  return { tools: entries, rejected, warnings, ttlMs };
}

const nameOf = ({ name }: ToolDefinition): string => name;
