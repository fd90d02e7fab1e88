import type { RejectedEntry } from '@shared/contracts/mcp-content-types.ts';
import { RpcError } from './transports/errors.ts';

const MAX_PAGES = 200;
const MAX_ENTRIES = 10_000;
/** After this time in all, what has been listed is the list. */
export const MAX_MS = 120_000;
/** What the pages may hold together, in characters of JSON. One page alone is bounded by the size of a message. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** What a server calls a page. A text, by the protocol; some count their pages, and get their number back as it is. */
export type Cursor = string | number;

export interface Listed<Entry> {
  entries: Entry[];
  rejected: RejectedEntry[];
  /** What was odd about the listing as a whole, for the log. */
  warnings: string[];
  /** How long the list holds by the server's own word, in milliseconds; the newer protocol revision has this. */
  ttlMs: number | undefined;
}

export interface ListPagesOptions<Entry> {
  /** What the entries are, in the plural: the name of the field that holds them, and of what warnings are about. */
  field: string;
  things: string;
  /** One entry as we use it, or why it can't be. */
  read: (entry: unknown) => Entry | RejectedEntry;
  /** Of entries with the same key the first counts. */
  keyOf: (entry: Entry) => string;
  /** Default: two minutes. */
  maxMs?: number;
  /** Default: 32 Mi. */
  maxCharacters?: number;
  /** A page after the first that the server refuses ends the list. Default: the refusal is thrown. */
  mayEndEarly?: boolean;
}

/**
 * Reads a list page by page. A page that was there already ends it, and so do limits in number and time, since a server may
 * hand out cursors for ever. One odd entry never hides the others.
 * @param page asks for the page at a cursor and gives the raw result
 */
export async function readListPages<Entry extends object>(
  page: (cursor: Cursor | undefined) => Promise<unknown>,
  { field, things, read, keyOf, maxMs = MAX_MS, maxCharacters = MAX_CHARACTERS, mayEndEarly }: ListPagesOptions<Entry>,
): Promise<Listed<Entry>> {
  const startedAt = performance.now();
  const entries = new Map<string, Entry>();
  const rejected: RejectedEntry[] = [];
  const warnings: string[] = [];
  const seen = new Set<Cursor>();
  let ttlMs: number | undefined;
  let characters = 0;
  for (let cursor: Cursor | undefined; ; ) {
    const asked = page(cursor);
    const refused = cursor !== undefined && mayEndEarly ? await refusalOf(asked) : undefined;
    if (refused) {
      warnings.push(`The server refused to give more ${things} (${refused.message}); the rest is left out.`);
      break;
    }
    const result = (await asked) as Record<string, unknown> | null | undefined;
    const list = result?.[field];
    // The whole list is as old as the first of its pages to grow old.
    if (typeof result?.ttlMs === 'number') ttlMs = Math.min(result.ttlMs, ttlMs ?? result.ttlMs);
    if (!Array.isArray(list)) warnings.push(`The server answered without a list of ${things}.`);
    for (const item of Array.isArray(list) ? list : []) {
      if (entries.size + rejected.length >= MAX_ENTRIES) break;
      const entry = read(item);
      if (isRejected(entry)) rejected.push(entry);
      else if (!entries.has(keyOf(entry))) entries.set(keyOf(entry), entry);
    }
    if (entries.size + rejected.length >= MAX_ENTRIES) {
      warnings.push(`The server has ${MAX_ENTRIES} ${things} or more; the rest is left out.`);
      break;
    }
    const next: unknown = result?.nextCursor;
    if (next === undefined || next === null || next === '') break;
    if (!isCursor(next)) {
      warnings.push(
        'The server names the next page in a way that can’t be asked for; the rest of the list is left out.',
      );
      break;
    }
    // Written out again only where there are more pages: most listings have one.
    characters += JSON.stringify(list ?? null).length;
    if (seen.has(next)) warnings.push('The server gave the same page again; the list ends there.');
    else if (seen.size + 1 >= MAX_PAGES)
      warnings.push(`The list is longer than ${MAX_PAGES} pages; the rest is left out.`);
    else if (characters > maxCharacters) warnings.push(`The list of ${things} is too large; the rest is left out.`);
    else if (performance.now() - startedAt > maxMs)
      warnings.push(`Listing the ${things} took too long; the rest is left out.`);
    else {
      seen.add(next);
      cursor = next;
      continue;
    }
    break;
  }
  return { entries: [...entries.values()], rejected, warnings, ttlMs };
}

/** Why the server doesn't give a page; other errors are thrown. */
const refusalOf = (asked: Promise<unknown>): Promise<RpcError | undefined> =>
  asked.then(
    () => undefined,
    (error) => {
      if (error instanceof RpcError) return error;
      throw error;
    },
  );

const isCursor = (value: unknown): value is Cursor => typeof value === 'string' || typeof value === 'number';

const isRejected = <Entry extends object>(entry: Entry | RejectedEntry): entry is RejectedEntry => 'reason' in entry;
