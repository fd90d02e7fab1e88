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
export type ProviderTools = OpenAITool[] | AnthropicTool[] | GeminiTools;
