import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import type { WholeResults } from '../../../ports/whole-results.ts';
import { MAX_RESULT_TEXT, repeatsText } from './result-for-model.ts';

/** Share of the limit that is kept: a little less, so that what a message keeps isn't cut a second time. */
const KEPT = 0.95;
/** Share of a cut text that is its beginning; ends often hold the outcome. */
const HEAD = 0.7;
/** Every block counts as at least this many characters, and so many of them fill half of the limit at most. */
const BLOCK_COST = 10;

/**
 * A result as a message keeps it: itself, or where it is too large a bounded one that says where the whole of it is.
 * @param results keeps what is cut; without it, that is lost
 * @param limit of the texts, in characters
 */
export function keepWithin(
  response: MCPCallToolResponse,
  results: WholeResults | undefined,
  limit = MAX_RESULT_TEXT,
): MCPCallToolResponse {
  const cut = boundResult(response, limit);
  if (!cut) return response;
  const id = results?.keep(cut.whole);
  return { ...cut.bounded, whole: { ...(id !== undefined && { id }), characters: cut.whole.length } };
}

/**
 * What a message keeps of a result that is too large for it: of the texts beginning and end, each by its share. Pictures and
 * sounds stay. Undefined when the result is not too large.
 * @param limit of the texts, in characters
 * @returns the bounded result, and the whole one as text for a file
 */
export function boundResult(
  response: MCPCallToolResponse,
  limit = MAX_RESULT_TEXT,
): { bounded: MCPCallToolResponse; whole: string } | undefined {
  const { isError, content, structuredContent } = response;
  const structured = structuredContent === undefined || structuredContent === null ? undefined : structuredContent;
  const isRepeated = structured !== undefined && repeatsText(content, structured);
  const structuredText = structured === undefined ? '' : JSON.stringify(structured, null, 2);
  const texts = content.map(textOf);
  const size = (text = '') => Math.max(text.length, BLOCK_COST);
  const total = texts.reduce((sum, text) => sum + size(text), 0) + (isRepeated ? 0 : structuredText.length);
  if (total <= limit) return undefined;

  const budget = Math.floor(limit * KEPT);
  const maxBlocks = Math.floor(limit / (2 * BLOCK_COST));
  const bounded = content.slice(0, maxBlocks).map((block, index) => {
    const text = texts[index];
    if (text === undefined) return block;
    return withText(block, text, Math.max(Math.floor((budget * size(text)) / total), BLOCK_COST));
  });
  const leftOut = content.length - bounded.length;
  if (leftOut > 0) bounded.push({ type: 'text', text: `[… ${leftOut} more blocks left out …]` });
  if (structured !== undefined && !isRepeated) {
    const room = Math.floor((budget * structuredText.length) / total);
    bounded.push({ type: 'text', text: cutMiddle(structuredText, room) });
  }
  const whole = [...content.map(forFile), ...(isRepeated ? [] : [structuredText])].filter((text) => text !== '');
  return { bounded: { isError, content: bounded }, whole: whole.join('\n\n') };
}

/** The text of a block that can be cut; undefined for one that has none. */
function textOf(block: MCPToolResponseContent): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource') return block.resource.text;
  return block.type === 'unknown' ? JSON.stringify(block.value) : undefined;
}

function withText(block: MCPToolResponseContent, text: string, room: number): MCPToolResponseContent {
  if (text.length <= room) return block;
  const cut = cutMiddle(text, room);
  return block.type === 'resource'
    ? { ...block, resource: { ...block.resource, text: cut } }
    : { type: 'text', text: cut };
}

/** Beginning and end of a text, with a note between them; never half of a character. */
function cutMiddle(text: string, room: number): string {
  if (text.length <= room) return text;
  let head = Math.floor(room * HEAD);
  let tail = text.length - (room - head);
  if (isHighSurrogate(text, head - 1)) head--;
  if (isHighSurrogate(text, tail - 1)) tail++;
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

const isHighSurrogate = (text: string, index: number): boolean => text.charCodeAt(index) >> 10 === 0x36;

function forFile(block: MCPToolResponseContent): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}]`;
    case 'resource':
      return [`[Resource: ${block.resource.uri}]`, block.resource.text].filter(Boolean).join('\n');
    case 'resource_link':
      return `[Resource: ${block.uri}]`;
    default:
      return textOf(block) ?? '';
  }
}
