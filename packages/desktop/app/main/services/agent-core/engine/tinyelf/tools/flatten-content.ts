import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';

const NOTHING = '(no output)';
/** How the engine and models know a failure. */
const ERROR = 'Error: ';

/** The blocks of a result as one text, a line break between them. Never empty. */
export function flattenContent(content: MCPToolResponseContent[]): string {
  const text = content.map(textOf).join('\n');
  return text.trim() === '' ? NOTHING : text;
}

/** A whole result as the model reads it: structured content stands in where no block says anything; a failure says so first. */
export function flattenResult({ isError, content, structuredContent }: MCPCallToolResponse): string {
  const flat = flattenContent(content);
  const isAlone = flat === NOTHING && structuredContent !== undefined && structuredContent !== null;
  const text = isAlone ? JSON.stringify(structuredContent) : flat;
  return isError && !text.startsWith(ERROR) ? `${ERROR}${text}` : text;
}

function textOf(block: MCPToolResponseContent): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[Image: ${block.mimeType}]`;
    case 'audio':
      return `[Audio: ${block.mimeType}]`;
    case 'resource':
      return block.resource.text ?? resource(block.resource);
    case 'resource_link':
      return resource(block);
    case 'unknown':
      return `[${block.originalType}]`;
  }
}

const resource = ({ uri, mimeType }: { uri: string; mimeType?: string }): string =>
  `[Resource: ${uri}${mimeType ? ` (${mimeType})` : ''}]`;
