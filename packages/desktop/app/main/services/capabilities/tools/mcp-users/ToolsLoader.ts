import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Logger } from '../../../ports/infrastructure.ts';
import type { AnthropicTool, GeminiTools, OpenAITool, ProviderTools, ToolFormat } from '../../../ports/tool-formats.ts';
import type { McpPool } from '../../../ports/tools.ts';
import { prepareTool, processSchema } from './schema/prepare-tool.ts';

export type {
  AnthropicTool,
  GeminiTools,
  OpenAITool,
  ProcessedSchema,
  ToolFormat,
} from '../../../ports/tool-formats.ts';

/** What of McpService is needed here: the two listings, and its logger where it has one. */
export type McpService = Pick<McpPool, 'listServerTools' | 'listAllActiveServerTools'> & { readonly logger?: Logger };

export interface McpToolsConfig {
  /** Nothing is loaded unless this is true. */
  enabled?: boolean;
  /** `auto` (default): every active server. `manual`: the selected ones. */
  mode?: 'auto' | 'manual';
  /** Ids of servers, for `manual`. */
  selectedServers?: string[];
}

/**
 * The MCP tools of one model request: in the form of the provider, and as they are. undefined when there are none. Converted
 * definitions are shared between requests: don't change them.
 */
export async function setupMcpTools(
  mcpService: McpService,
  config?: McpToolsConfig,
  apiFormat: ToolFormat = 'openai',
): Promise<{ tools: OpenAITool[] | AnthropicTool[] | GeminiTools; mcpTools: MCPTool[] } | undefined> {
  const mcpTools = withoutTwins(await fetchMcpTools(mcpService, config), mcpService.logger);
  if (mcpTools.length === 0) return undefined;
  if (mcpService.logger) logByServer(mcpTools, apiFormat, mcpService.logger);
  return { tools: convertMcpTools(mcpTools, apiFormat), mcpTools };
}

/** The tools that a configuration asks for. In manual mode a server that fails is logged and left out. */
export async function fetchMcpTools(mcpService: McpService, config?: McpToolsConfig): Promise<MCPTool[]> {
  if (!config?.enabled) return [];
  if (config.mode !== 'manual') return mcpService.listAllActiveServerTools();
  const serverIds = [...new Set(config.selectedServers)];
  const listings = await Promise.allSettled(serverIds.map(async (serverId) => mcpService.listServerTools(serverId)));
  return listings.flatMap((listing, i) => {
    if (listing.status === 'fulfilled') return listing.value;
    const { reason } = listing;
    mcpService.logger?.warn('The tools of an MCP server could not be loaded', {
      serverId: serverIds[i],
      reason: reason instanceof Error ? reason.message : String(reason),
    });
    return [];
  });
}

export function convertMcpToolsToOpenAI(tools: MCPTool[]): OpenAITool[] {
  return tools.map((tool) =>
    cached(openAITools, tool, () => {
      const { schema, description } = prepareTool('openai', tool);
      return { type: 'function', function: { name: tool.id, description, parameters: schema } };
    }),
  );
}

export function convertMcpToolsToAnthropic(tools: MCPTool[]): AnthropicTool[] {
  return tools.map((tool) =>
    cached(anthropicTools, tool, () => {
      const { schema, description } = prepareTool('anthropic', tool);
      return { name: tool.id, description, input_schema: schema };
    }),
  );
}

export function convertMcpToolsToGemini(tools: MCPTool[]): GeminiTools {
  const functionDeclarations = tools.map((tool) =>
    cached(geminiDeclarations, tool, () => {
      const { schema, description } = prepareTool('google', tool);
      return { name: tool.id, description, parameters: schema };
    }),
  );
  return [{ functionDeclarations }];
}

/**
 * A JSON Schema as an object schema that model APIs take: always `type`, `properties` and `required`, and `description` where
 * there is one. References are resolved first, unions at the root become one set of properties, and what that loses is said
 * in the description. Anything that is not a schema gives an object without properties. Never throws, never changes its input.
 */
// biome-ignore lint/suspicious/noExplicitAny: the specification's own signature
export function processJsonSchema(schema: any): any {
  return processSchema(schema);
}

/** Turns a model's arguments into the server's own. To be called on the arguments of every call before it is made. */
export function restoreToolArguments(
  tool: MCPTool,
  args: Record<string, unknown>,
  apiFormat: ToolFormat,
): Record<string, unknown> {
  return prepareTool(apiFormat, tool).restore(args);
}

/** What of a tool's definition the model can't be shown, in sentences for the person who looks at the tool. */
export function toolWarnings(tool: MCPTool, apiFormat: ToolFormat): string[] {
  return prepareTool(apiFormat, tool).warnings;
}

/** Tools in the form of a provider. Definitions are shared between requests: don't change them. */
export const convertMcpTools = (tools: MCPTool[], apiFormat: ToolFormat): ProviderTools => CONVERTERS[apiFormat](tools);

const CONVERTERS = {
  openai: convertMcpToolsToOpenAI,
  anthropic: convertMcpToolsToAnthropic,
  google: convertMcpToolsToGemini,
} satisfies Record<ToolFormat, unknown>;

const openAITools = new WeakMap<MCPTool, OpenAITool>();
const anthropicTools = new WeakMap<MCPTool, AnthropicTool>();
const geminiDeclarations = new WeakMap<MCPTool, GeminiTools[number]['functionDeclarations'][number]>();

function cached<T>(cache: WeakMap<MCPTool, T>, tool: MCPTool, make: () => T): T {
  const known = cache.get(tool);
  if (known !== undefined) return known;
  const made = make();
  cache.set(tool, made);
  return made;
}

/** Providers refuse a request with two tools of one name, so the later one stays out. */
function withoutTwins(tools: MCPTool[], logger: Logger | undefined): MCPTool[] {
  const first = new Map<string, MCPTool>();
  for (const tool of tools) {
    const other = first.get(tool.id);
    if (other === undefined) first.set(tool.id, tool);
    else {
      logger?.warn('An MCP tool is left out: another one has the same name for models', {
        id: tool.id,
        leftOut: `${tool.serverName}: ${tool.name}`,
        kept: `${other.serverName}: ${other.name}`,
      });
    }
  }
  return first.size === tools.length ? tools : [...first.values()];
}

/** Counts only: the names of hundreds of tools, with secrets looked for in each, would cost more than all the rest. */
function logByServer(tools: MCPTool[], apiFormat: ToolFormat, logger: Logger): void {
  const byServer = new Map<string, number>();
  for (const { serverName } of tools) byServer.set(serverName, (byServer.get(serverName) ?? 0) + 1);
  logger.info(`MCP tools for the model: ${tools.length} of ${byServer.size} servers`, {
    apiFormat,
    servers: Object.fromEntries(byServer),
  });
}
