import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { withoutDepths } from './json-depth.ts';
import { isObject } from './schema/json.ts';

type Json = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const optional = <Key extends string>(source: Json, key: Key): { [K in Key]?: string } =>
  (isText(source[key]) ? { [key]: source[key] } : {}) as { [K in Key]?: string };

/**
 * Reads the result of `tools/call`. Nothing that a server answered is lost: a block that isn't what its type promises is kept
 * as `unknown`, and so is a result that has no blocks at all.
 */
export function readCallResult(result: unknown): MCPCallToolResponse {
  if (!isObject(result)) return { isError: false, content: [odd('result', result)] };
  const { structuredContent } = result;
  const structured = structuredContent === undefined ? {} : { structuredContent: withoutDepths(structuredContent) };
  return { isError: result.isError === true, content: readContent(result), ...structured };
}

function readContent(result: Json): MCPToolResponseContent[] {
  const { content } = result;
  if (Array.isArray(content)) return content.map(readBlock);
  if (isText(content) || isObject(content)) return [readBlock(content)];
  // Servers of the first protocol revision answered with this field.
  if ('toolResult' in result) return [{ type: 'text', text: asText(result.toolResult) }];
  // An answer in a form of the server's own.
  const more = Object.entries(result).filter(([key]) => !FRAME.has(key));
  return more.length > 0 && result.structuredContent === undefined ? [odd('result', Object.fromEntries(more))] : [];
}

/** Fields of a result that are not what the tool answered. */
const FRAME: ReadonlySet<string> = new Set(['content', 'isError', 'structuredContent', '_meta', 'resultType']);

function readBlock(block: unknown): MCPToolResponseContent {
  if (isText(block)) return { type: 'text', text: block };
  if (!isObject(block)) return odd(typeof block, block);
  const type = isText(block.type) ? block.type : isText(block.text) ? 'text' : '(none)';
  switch (type) {
    case 'text':
      return block.text === undefined || block.text === null ? odd(type, block) : { type, text: asText(block.text) };
    case 'image':
    case 'audio': {
      const data = isText(block.data) ? cleanBase64(block.data) : undefined;
      const mimeType = block.mimeType ?? (isText(block.data) ? DATA_URL.exec(block.data)?.[1] : undefined);
      return data !== undefined && isText(mimeType) ? { type, data, mimeType } : odd(type, block);
    }
    case 'resource': {
      const { resource } = block;
      if (!isObject(resource) || !isText(resource.uri)) return odd(type, block);
      const fields = {
        ...optional(resource, 'mimeType'),
        ...optional(resource, 'text'),
        ...optional(resource, 'blob'),
      };
      return { type, resource: { uri: resource.uri, ...fields } };
    }
    case 'resource_link': {
      if (!isText(block.uri)) return odd(type, block);
      const fields = { ...optional(block, 'name'), ...optional(block, 'mimeType'), ...optional(block, 'description') };
      return { type, uri: block.uri, ...fields };
    }
    default:
      return odd(type, block);
  }
}

const odd = (originalType: string, value: unknown): MCPToolResponseContent => ({
  type: 'unknown',
  originalType,
  value: withoutDepths(value),
});

const asText = (value: unknown): string => (isText(value) ? value : (JSON.stringify(withoutDepths(value)) ?? ''));

/** The head of a data URL, with the type that it names. */
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]*;base64,/;

/** Base64 without line breaks and without the head of a data URL; undefined when it isn't base64. */
function cleanBase64(data: string): string | undefined {
  const bare = data.replace(DATA_URL, '').replace(/\s+/g, '');
  return bare.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(bare) && bare.replace(/=+$/, '').length % 4 !== 1
    ? bare
    : undefined;
}
