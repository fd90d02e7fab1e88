import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ToolFormat } from '../../../ports/tool-formats.ts';
import { convertMcpToolsToAnthropic, convertMcpToolsToGemini, convertMcpToolsToOpenAI } from './ToolsLoader.ts';

/** A rule of thumb for English and JSON; tokenisers differ by a fifth or so. */
const BYTES_PER_TOKEN = 4;

const DEFINITIONS: Record<ToolFormat, (tool: MCPTool) => unknown> = {
  openai: (tool) => convertMcpToolsToOpenAI([tool])[0],
  anthropic: (tool) => convertMcpToolsToAnthropic([tool])[0],
  google: (tool) => convertMcpToolsToGemini([tool])[0]?.functionDeclarations[0],
};

const known: Record<ToolFormat, WeakMap<MCPTool, number>> = {
  openai: new WeakMap(),
  anthropic: new WeakMap(),
  google: new WeakMap(),
};

/** Estimated tokens of a tool's definition as a model of this format is sent it: a quarter of its JSON's bytes. */
export function toolTokens(tool: MCPTool, format: ToolFormat): number {
  const before = known[format].get(tool);
  if (before !== undefined) return before;
  const bytes = Buffer.byteLength(JSON.stringify(DEFINITIONS[format](tool)) ?? '');
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  known[format].set(tool, tokens);
  return tokens;
}
