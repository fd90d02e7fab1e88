import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { cutMiddle } from '../../../ports/cut-middle.ts';
import type { WholeResults } from '../../../ports/whole-results.ts';
import { MAX_RESULT_TEXT, repeatsText } from './result-for-model.ts';

/** Share of the limit that is kept: a little less, so that what a message keeps isn't cut a second time. */
const KEPT = 0.95;
/** Every block counts as at least this many characters, and so many of them fill half of the limit at most. */
const BLOCK_COST = 10;

/** What all pictures, sounds and files may come to, in characters of base64. */
const MAX_DATA = 10_000_000;
/** Longest address, name, type or description of a block, in characters. */
const MAX_WORDS = 8192;

/**
 * A result as it is shown and stored: as it is, or cut and with `whole`, which tells where the rest of it is.
 * @param results keeps the whole of what is cut. Default: nobody does
 * @param limit of the texts, in characters
 */
export function keepBounded(
  response: MCPCallToolResponse,
  results?: WholeResults,
  limit = MAX_RESULT_TEXT,
): MCPCallToolResponse {
  const cut = boundResult(response, limit);
  if (!cut) return response;
  const id = results?.keep(cut.whole);
  return { ...cut.bounded, whole: { ...(id !== undefined && { id }), characters: cut.whole.length } };
}

/**
 * What a message keeps of a result that is too large for it: of the texts beginning and end, each by its share; pictures,
 * sounds and files as long as there is room for them. Undefined when the result is not too large.
 * @param limit of the texts, in characters
 * @returns the bounded result, and the whole one as text for a file
 */
export function boundResult(
  response: MCPCallToolResponse,
  limit = MAX_RESULT_TEXT,
): { bounded: MCPCallToolResponse; whole: string } | undefined {
  const { isError, content, structuredContent, warnings } = response;
  const structured = structuredContent === undefined || structuredContent === null ? undefined : structuredContent;
  const isRepeated = structured !== undefined && repeatsText(content, structured);
  const structuredText = structured === undefined ? '' : JSON.stringify(structured, null, 2);
  const texts = content.map(textOf);
  const light = withoutTooMuchData(content);
  const size = (text = '') => Math.max(text.length, BLOCK_COST);
  const total = texts.reduce((sum, text) => sum + size(text), 0) + (isRepeated ? 0 : structuredText.length);
  const isLight = light.every((block, index) => block === content[index]);
  if (total <= limit && isLight) return undefined;

  const share = (length: number) => (total <= limit ? length : Math.floor((limit * KEPT * length) / total));
  const bounded = light.slice(0, Math.floor(limit / (2 * BLOCK_COST))).map((block, index) => {
    const text = texts[index];
    if (text === undefined) return block;
    return withText(block, text, Math.max(share(size(text)), BLOCK_COST));
  });
  const leftOut = content.length - bounded.length;
  if (leftOut > 0) bounded.push({ type: 'text', text: `[… ${leftOut} more blocks left out …]` });
  if (structured !== undefined && !isRepeated) {
    bounded.push({ type: 'text', text: cutMiddle(structuredText, share(structuredText.length)) });
  }
  const blocks = content.map((block, index) => forFile(block, dataOf(block) !== dataOf(light[index])));
  const whole = [...blocks, ...(isRepeated ? [] : [structuredText])].filter((text) => text !== '');
  return { bounded: { isError, content: bounded, ...(warnings && { warnings }) }, whole: whole.join('\n\n') };
}

/** The blocks themselves, but without data for which there is no room and with words that are not too long. */
function withoutTooMuchData(content: readonly MCPToolResponseContent[]): MCPToolResponseContent[] {
  let left = MAX_DATA;
  return content.map((block) => {
    const data = dataOf(block) ?? '';
    if (data.length <= left) {
      left -= data.length;
      return withShortWords(block);
    }
    if (block.type !== 'resource') return { type: 'text', text: noteOf(block, data) };
    const { blob: _blob, ...resource } = block.resource;
    return withShortWords({ ...block, resource: { ...resource, text: resource.text ?? noteOf(block, data) } });
  });
}

function dataOf(block: MCPToolResponseContent | undefined): string | undefined {
  if (block?.type === 'image' || block?.type === 'audio') return block.data;
  return block?.type === 'resource' ? block.resource.blob : undefined;
}

function noteOf(block: MCPToolResponseContent, data: string): string {
  const megabytes = Math.ceil((data.length * 3) / 4 / 1_000_000);
  return `[${block.type} of ${megabytes} MB left out: too large]`;
}

function withShortWords(block: MCPToolResponseContent): MCPToolResponseContent {
  if (block.type === 'text' || block.type === 'unknown') return block;
  const words = block.type === 'resource' ? block.resource : block;
  const short: Record<string, string> = {};
  for (const key of ['uri', 'mimeType', 'name', 'description']) {
    const value = (words as Record<string, unknown>)[key];
    if (typeof value === 'string' && value.length > MAX_WORDS) short[key] = cutMiddle(value, MAX_WORDS);
  }
  if (Object.keys(short).length === 0) return block;
  return block.type === 'resource' ? { ...block, resource: { ...block.resource, ...short } } : { ...block, ...short };
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

/** @param withData its data stands nowhere else */
function forFile(block: MCPToolResponseContent, withData: boolean): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return withData ? dataUrl(block.mimeType, block.data) : `[${block.type}: ${block.mimeType}]`;
    case 'resource': {
      const { uri, mimeType, text, blob } = block.resource;
      const data = withData && blob !== undefined ? dataUrl(mimeType ?? 'application/octet-stream', blob) : '';
      return [`[Resource: ${uri}]`, text, data].filter(Boolean).join('\n');
    }
    case 'resource_link':
      return [`[Resource: ${block.uri}]`, block.name, block.description].filter(Boolean).join('\n');
    default:
      return textOf(block) ?? '';
  }
}

const dataUrl = (mimeType: string, data: string): string => `data:${mimeType};base64,${data}`;
