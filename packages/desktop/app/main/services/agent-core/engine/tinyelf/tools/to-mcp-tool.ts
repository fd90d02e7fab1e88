import type { BuiltinServerId } from '@shared/contracts/builtin-server.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ITool } from './ITool.ts';

export const BUILTIN_SERVER_ID: BuiltinServerId = 'tinyelf';
export const BUILTIN_SERVER_NAME = 'TinyElf';

const known = new WeakMap<ITool, MCPTool>();

/** A tool of the engine as the turn, approvals and conversions take it: the same object for the same tool. */
export function toMcpTool(tool: ITool): MCPTool {
  const made = known.get(tool) ?? convert(tool);
  known.set(tool, made);
  return made;
}

const convert = ({ name, description, parameters, origin }: ITool): MCPTool => ({
  id: name,
  serverId: origin?.serverId ?? BUILTIN_SERVER_ID,
  serverName: origin?.serverName ?? BUILTIN_SERVER_NAME,
  name: origin?.toolName ?? name,
  description,
  inputSchema: parameters,
});
