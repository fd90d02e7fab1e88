import type { RejectedTool } from '@shared/contracts/mcp-types.ts';
import { isRejected, readTool, type ToolDefinition } from './lenient-tools.ts';

const MAX_PAGES = 200;
const MAX_TOOLS = 10_000;
/** After this time in all, what has been listed is the list. */
export const MAX_MS = 120_000;
/** What the pages may hold together, in characters of JSON. One page alone is bounded by the size of a message. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

export interface ListedTools {
  tools: ToolDefinition[];
  rejected: RejectedTool[];
  /** What was odd about the listing as a whole, for the log. */
  warnings: string[];
}

/**
 * Reads a list of tools page by page. A page that was there already ends it, and so do limits in number and time, since a
 * server may hand out cursors for ever; of tools with the same name the first counts.
 * @param page asks for the page at a cursor and gives the raw result
 */
export async function readToolPages(
  page: (cursor: string | undefined) => Promise<unknown>,
  maxMs = MAX_MS,
  maxCharacters = MAX_CHARACTERS,
): Promise<ListedTools> {
  const startedAt = performance.now();
  const tools = new Map<string, ToolDefinition>();
  const rejected: RejectedTool[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  let characters = 0;
  for (let cursor: string | undefined; ; ) {
    const result = (await page(cursor)) as { tools?: unknown; nextCursor?: unknown } | null | undefined;
    const entries = Array.isArray(result?.tools) ? result.tools : [];
    if (!Array.isArray(result?.tools)) warnings.push('The server answered without a list of tools.');
    for (const entry of entries) {
      if (tools.size + rejected.length >= MAX_TOOLS) break;
      const tool = readTool(entry);
      if (isRejected(tool)) rejected.push(tool);
      else if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    if (tools.size + rejected.length >= MAX_TOOLS) {
      warnings.push(`The server has ${MAX_TOOLS} tools or more; the rest is left out.`);
      break;
    }
    const next = result?.nextCursor;
    if (typeof next !== 'string' || next === '') break;
    // Written out again only where there are more pages: most listings have one.
    characters += JSON.stringify(entries).length;
    if (seen.has(next)) warnings.push('The server gave the same page again; the list ends there.');
    else if (seen.size + 1 >= MAX_PAGES)
      warnings.push(`The list is longer than ${MAX_PAGES} pages; the rest is left out.`);
    else if (characters > maxCharacters) warnings.push('The list of tools is too large; the rest is left out.');
    else if (performance.now() - startedAt > maxMs)
      warnings.push('Listing the tools took too long; the rest is left out.');
    else {
      seen.add(next);
      cursor = next;
      continue;
    }
    break;
  }
  return { tools: [...tools.values()], rejected, warnings };
}
