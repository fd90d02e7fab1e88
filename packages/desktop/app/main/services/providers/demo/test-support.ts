import { readFileSync } from 'node:fs';
import type { OpenAITool, ProcessedSchema } from '../../ports/tool-formats.ts';

interface ListedTool {
  name: string;
  description?: string;
  inputSchema: { properties?: ProcessedSchema['properties']; required?: string[] };
}

/**
 * Tools as the published servers list them, and the agent its own (recorded from themselves), in the form of the request.
 */
export function toolsOf(...servers: ('files' | 'everything' | 'memory' | 'agent')[]): OpenAITool[] {
  return servers.flatMap((server) => {
    const file = new URL(`./__fixtures__/${server}.tools.json`, import.meta.url);
    const listed = JSON.parse(readFileSync(file, 'utf8')) as ListedTool[];
    return listed.map(({ name, description = '', inputSchema: { properties = {}, required = [] } }) =>
      toolNamed(server === 'agent' ? name : `mcp__${server}__${name}`, description, properties, required),
    );
  });
}

export function toolNamed(
  name: string,
  description: string,
  properties: ProcessedSchema['properties'] = {},
  required: string[] = [],
): OpenAITool {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required } } };
}
