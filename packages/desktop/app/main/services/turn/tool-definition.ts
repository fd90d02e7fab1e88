import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../ports/errors.ts';
import type { McpPool } from '../ports/tools.ts';
import { digest } from './digest.ts';

/** Everything of a tool that whoever allows it may have gone by. The server's display name and the wire name don't matter. */
export const definitionOf = ({ name, title, description, inputSchema, annotations }: MCPTool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations,
});

/**
 * What was approved is the tool that this request offered. Throws AppError `tool-changed` when its server calls another one by
 * that name now; one that isn't listed at the moment is left to the pool.
 */
export async function refuseChanged(
  pool: Pick<McpPool, 'listAllActiveServerTools'>,
  offered: MCPTool,
  signal: AbortSignal,
): Promise<void> {
  const listed = await pool.listAllActiveServerTools({ waitMs: 0, signal });
  const now = listed.find(({ serverId, name }) => serverId === offered.serverId && name === offered.name);
  if (!now || now === offered || digest(definitionOf(now)) === digest(definitionOf(offered))) return;
  throw new AppError('tool-changed', `“${offered.serverName}” has changed what its tool “${offered.name}” is.`, {
    hint: 'The next request has the tool as it is now, and a call of it is approved anew.',
  });
}
