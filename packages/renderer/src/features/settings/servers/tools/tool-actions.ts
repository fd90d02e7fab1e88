import type { ToolPolicy } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { api } from '../../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../../bridge/errors.ts';
import { toastError } from '../../../../stores/toasts.ts';

const orToast = (work: Promise<void>): Promise<void> => work.catch((thrown) => toastError(toApiError(thrown)));

/** What becomes of these comes back as an event; what goes wrong is shown. */
export const setToolEnabled = (serverId: string, toolName: string, enabled: boolean): Promise<void> =>
  orToast(unwrap(api().mcpTools.setEnabled({ serverId, toolName, enabled })));

export function setToolPolicy(tool: MCPTool, policy: ToolPolicy): Promise<void> {
  const { serverId, name: toolName, title, description, inputSchema, annotations } = tool;
  const shown = { title, description, inputSchema, annotations };
  return orToast(unwrap(api().mcpTools.setPolicy({ serverId, toolName, policy, shown })));
}

export const resetToolPolicies = (serverId: string): Promise<void> =>
  orToast(unwrap(api().mcpTools.resetPolicies({ serverId })));
