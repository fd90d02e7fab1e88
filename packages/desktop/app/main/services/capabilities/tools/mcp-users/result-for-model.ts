import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { cutMiddle } from '../../../ports/cut-middle.ts';

/** Longest text that a model gets of one result, in characters. */
export const MAX_RESULT_TEXT = 100_000;

/** From this length on, text of base64's alphabet alone is taken for data. */
const MIN_BASE64 = 512;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,100};base64,/;
/** Stands for data, however short, that a block of the same result carries. */
const AS_ABOVE = '[the data of the block above]';
const MAX_DEPTH = 64;

export interface ResultForModel {
  text: string;
  images: { data: string; mimeType: string }[];
}

/**
 * What a model reads of a tool's result. Text goes as it is; structured content only where the text doesn't carry it already;
 * pictures are apart, with a mark in the text; what a model can't read is named. Never empty, at most {@link MAX_RESULT_TEXT} characters.
 */
export function resultForModel(response: MCPCallToolResponse): ResultForModel {
  const content = Array.isArray(response.content) ? response.content : [];
  const images = content.map(pictureOf).filter((picture) => picture !== undefined);
  const parts = content.map(describe).filter((part) => part !== '');
  if (response.structuredContent !== undefined && response.structuredContent !== null) {
    if (!repeatsText(content, response.structuredContent)) {
      parts.push(writeStructured(response.structuredContent, shownData(content)));
    }
  }
  const text = parts.join('\n');
  const nothing = response.isError ? 'The tool failed without saying why.' : '(no output)';
  return { text: text.trim() === '' ? nothing : cutText(text), images };
}

function describe(block: MCPToolResponseContent): string {
  switch (block.type) {
    case 'text':
      return block.text ?? '';
    case 'image':
      return isBase64(block.data) ? `[Image: ${block.mimeType}]` : `[Image: ${block.mimeType}, unreadable]`;
    case 'audio':
      return `[Audio: ${block.mimeType}]`;
    case 'resource': {
      const { uri, mimeType } = block.resource;
      const text = block.resource.text ?? textOfBlob(block.resource);
      const label = `[Resource: ${uri}${mimeType ? ` (${mimeType})` : ''}]`;
      return text ? `${label}\n${text}` : label;
    }
    case 'resource_link': {
      const told = [block.name, block.description].filter((part) => part).join(' — ');
      const label = `[Resource: ${block.uri}${block.mimeType ? ` (${block.mimeType})` : ''}]`;
      return told ? `${label} ${told}` : label;
    }
    default:
      return describeUnknown(block);
  }
}

/** A block of a kind that isn't known, or that lacks what its kind has: what it says, where a model can read that. */
function describeUnknown({ originalType, value }: Extract<MCPToolResponseContent, { type: 'unknown' }>): string {
  const label = `[${originalType}]`;
  if (originalType === 'image' || originalType === 'audio') return label;
  if (typeof value !== 'object' || value === null) return value === undefined ? label : `${label} ${String(value)}`;
  const { type: _type, ...rest } = value as Record<string, unknown>;
  if (Array.isArray(value)) return `${label} ${writeStructured(value, NONE)}`;
  if (typeof rest.text === 'string') return `${label}\n${rest.text}`;
  return Object.keys(rest).length > 0 ? `${label} ${writeStructured(rest, NONE)}` : label;
}

const NONE: ReadonlySet<string> = new Set();

/** A picture, in a block of its own or as a file. */
function pictureOf(block: MCPToolResponseContent): ResultForModel['images'][number] | undefined {
  if (block.type === 'image') return isBase64(block.data) ? { data: block.data, mimeType: block.mimeType } : undefined;
  if (block.type !== 'resource') return undefined;
  const { blob = '', mimeType = '' } = block.resource;
  return /^image\//i.test(mimeType) && isBase64(blob) ? { data: blob, mimeType } : undefined;
}

/** Some servers send every file as data, those of text included. */
function textOfBlob({ blob, mimeType = '' }: { blob?: string; mimeType?: string }): string | undefined {
  if (!blob || !TEXT_TYPE.test(mimeType)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64'));
  } catch {
    return undefined;
  }
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|toml)\b|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i;

/** Providers refuse the whole request for one picture that is not base64. */
const isBase64 = (data: string): boolean => data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);

/** Whether the text of a result's blocks says its structured content already. */
export const repeatsText = (content: MCPToolResponseContent[], structured: unknown): boolean =>
  carries(
    content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
    structured,
  );

/** Whether a text of the result is the structured content itself: the same JSON, however it is spaced and ordered. */
function carries(texts: string[], structured: unknown): boolean {
  const wrapped = wrappedIn(structured);
  const candidates = texts.length > 1 ? [...texts, texts.join('\n')] : texts;
  return (
    candidates.some((text) => says(text, structured) || says(text, wrapped)) || saysEach(texts, wrapped ?? structured)
  );
}

/** Servers that give a list give one text for each of its items. */
const saysEach = (texts: string[], list: unknown): boolean =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.length === texts.length &&
  list.every((one, i) => says(texts[i]!, one));

/** Whether a text is a value: its JSON, in a code fence or not, or the text itself. */
function says(text: string, value: unknown): boolean {
  const trimmed = text.trim();
  if (typeof value === 'string' && trimmed !== '' && trimmed === value.trim()) return true;
  const json = /^```(?:json)?\s([\s\S]*)```$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
  if (value === undefined || !/^["[{\d-]|^(?:true|false)$/.test(json)) return false;
  try {
    return equal(JSON.parse(json), value, 0);
  } catch {
    return false;
  }
}

/**
 * What an object with one key wraps; texts beside it are often the bare value. A number or a flag says enough without its
 * key only where that is `result`, which some servers put around whatever is not an object.
 */
function wrappedIn(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null || Array.isArray(structured)) return undefined;
  const [[key, value] = [], ...others] = Object.entries(structured);
  const isTelling = key === 'result' || typeof value === 'string' || typeof value === 'object';
  return others.length === 0 && isTelling ? value : undefined;
}

function equal(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) &&
      equal((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], depth + 1),
  );
}

/** The base64 of pictures and sounds that stand beside the structured content. */
const shownData = (content: MCPToolResponseContent[]): ReadonlySet<string> =>
  new Set(content.flatMap((block) => (block.type === 'image' || block.type === 'audio' ? [block.data] : [])));

function writeStructured(structured: unknown, shown: ReadonlySet<string>): string {
  const write = (text: string): string => (shown.has(text.replace(DATA_URL, '')) ? AS_ABOVE : withoutData(text));
  try {
    return (
      JSON.stringify(structured, (_key, value: unknown) => (typeof value === 'string' ? write(value) : value)) ?? ''
    );
  } catch {
    return '[structured content that is not JSON]';
  }
}

/** A note in place of base64 data, which no model can read. */
function withoutData(text: string): string {
  if (text.length < MIN_BASE64) return text;
  const dataUrl = DATA_URL.exec(text);
  const body = dataUrl ? text.slice(dataUrl[0].length) : text;
  // Long texts of one word are rare, and base64 mixes cases and digits.
  const isData =
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(body.replaceAll(/\r?\n/g, '')) && (dataUrl !== null || looksRandom(body));
  if (!isData) return text;
  const kilobytes = Math.max(1, Math.round((body.length * 3) / 4 / 1024));
  return `[${dataUrl?.[1] ?? 'base64'} data, ${kilobytes} KB, not shown]`;
}

function looksRandom(text: string): boolean {
  const sample = text.slice(0, MIN_BASE64);
  return text.length >= 4_096 || (/[A-Z]/.test(sample) && /[a-z]/.test(sample) && /\d/.test(sample));
}

/**
 * Keeps beginning and end of a text that is too long, with a note between them; never half of a character.
 * @param max in characters, at least 200
 */
export function cutText(text: string, max = MAX_RESULT_TEXT): string {
  return text.length <= max ? text : cutMiddle(text, max - 100);
}
