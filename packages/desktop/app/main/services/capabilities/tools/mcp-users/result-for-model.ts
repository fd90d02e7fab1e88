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
  const images = content.flatMap((block) =>
    block.type === 'image' && isBase64(block.data) ? [{ data: block.data, mimeType: block.mimeType }] : [],
  );
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
      const { uri, mimeType, text } = block.resource;
      const label = `[Resource: ${uri}${mimeType ? ` (${mimeType})` : ''}]`;
      return text ? `${label}\n${text}` : label;
    }
    case 'resource_link': {
      const told = [block.name, block.description].filter((part) => part).join(' — ');
      const label = `[Resource: ${block.uri}${block.mimeType ? ` (${block.mimeType})` : ''}]`;
      return told ? `${label} ${told}` : label;
    }
    default:
      return `[${block.originalType}]`;
  }
}

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
  const candidates = texts.length > 1 ? [...texts, texts.join('\n')] : texts;
  return (
    candidates.some((text) => {
      const trimmed = text.trim();
      if (!/^["[{\d-]|^(?:true|false)$/.test(trimmed)) return false;
      try {
        const parsed: unknown = JSON.parse(trimmed);
        return equal(parsed, structured, 0) || equal(parsed, onlyResult(structured), 0);
      } catch {
        return false;
      }
    }) || texts.some((text) => text.trim() !== '' && text.trim() === onlyText(structured)?.trim())
  );
}

/** `{result: x}` is how some servers wrap what is not an object; their text is the bare x. */
function onlyResult(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null) return undefined;
  const keys = Object.keys(structured);
  return keys.length === 1 && keys[0] === 'result' ? (structured as { result: unknown }).result : undefined;
}

/** The one text that an object wraps, under whatever name: `{content: "…"}` beside the same text. */
function onlyText(structured: unknown): string | undefined {
  if (typeof structured !== 'object' || structured === null) return undefined;
  const values = Object.values(structured);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
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
