/** The tool definitions of the three API families, exactly as the specification gives them. */

// biome-ignore lint/suspicious/noExplicitAny: the specification's own type
type Properties = Record<string, any>;

export interface ProcessedSchema {
  type: 'object';
  properties: Properties;
  required: string[];
}

export interface OpenAITool {
  type: 'function';
  function: { name: string; description: string; parameters: ProcessedSchema };
}

export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ProcessedSchema;
}

export type GeminiTools = Array<{
  functionDeclarations: Array<{ name: string; description: string; parameters: ProcessedSchema }>;
}>;

export type ToolFormat = 'openai' | 'anthropic' | 'google';

/** Most tools that an API takes in one request; undefined where there is no limit. A longer list is refused as a whole. */
export const MAX_TOOLS = { openai: 128, anthropic: undefined, google: 512 } as const satisfies Record<
  ToolFormat,
  number | undefined
>;
export type ProviderTools = OpenAITool[] | AnthropicTool[] | GeminiTools;

/** The names by which models call the tools, in their order. */
export const toolNames = (tools: ProviderTools): string[] =>
  tools.flatMap((tool) => {
    if ('functionDeclarations' in tool) return tool.functionDeclarations.map(({ name }) => name);
    return 'function' in tool ? tool.function.name : tool.name;
  });
