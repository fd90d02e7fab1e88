import type Anthropic from '@anthropic-ai/sdk';
import type { AnthropicTool } from '../../ports/tool-formats.ts';

/** Keywords that the root of a schema can't have. */
const REFUSED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', '$schema'];

/** Tools as Anthropic takes them. It limits their number only through the size of the request. */
export function prepareTools(tools: AnthropicTool[]): Anthropic.Tool[] {
  return tools.map(({ name, description, input_schema }) => {
    const root = Object.entries(input_schema).filter(([key]) => !REFUSED_AT_ROOT.includes(key));
    const schema = { ...Object.fromEntries(root), type: 'object' as const };
    return description.trim() === '' ? { name, input_schema: schema } : { name, description, input_schema: schema };
  });
}
