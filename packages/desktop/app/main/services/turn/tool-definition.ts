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
 * What was approved is the tool that this request offered. Throws AppError `tool-off` when the person has switched it off since,
 * and `tool-changed` when its server calls another one by that name now; one that isn't listed at the moment is left to the pool.
 */
export function refuseChanged(pool: Pick<McpPool, 'offeredTool'>, offered: MCPTool): void {
  const { serverId, serverName, name } = offered;
  const now = pool.offeredTool(serverId, name);
  if (now === 'off') {
    // The model reads the message only.
    const message = `The call was not run: the tool “${name}” of “${serverName}” is switched off now. Go on without it.`;
    throw new AppError('tool-off', message, { hint: 'Switch it on in the settings of its server.' });
  }
  if (!now || now === offered || digest(definitionOf(now)) === digest(definitionOf(offered))) return;
  throw new AppError('tool-changed', `“${serverName}” has changed what its tool “${name}” is.`, {
    hint: 'The next request has the tool as it is now, and a call of it is approved anew.',
  });
}
