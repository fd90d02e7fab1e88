import { mcpToolsContract } from '@shared/contracts/mcp-tools.contract.ts';
import type { ToolPlayground } from '../capabilities/tools/mcp-users/ToolPlayground.ts';
import type { ToolSettings } from '../capabilities/tools/mcp-users/ToolSettings.ts';
import { defineRouter } from './router.ts';

export const createMcpToolsRouter = (settings: ToolSettings, playground: ToolPlayground) =>
  defineRouter(mcpToolsContract, {
    overview: ({ serverId, format }) => settings.overview(serverId, format),
    costs: ({ format }) => settings.costs(format),
    setEnabled: ({ serverId, toolName, enabled }) => settings.setEnabled(serverId, toolName, enabled),
    setPolicy: ({ serverId, toolName, policy, shown }) => settings.setPolicy(serverId, toolName, policy, shown),
    resetPolicies: ({ serverId }) => settings.resetPolicies(serverId),
    check: ({ serverId, toolName, args }) => playground.check(serverId, toolName, args),
    run: ({ runId, ...call }) => playground.run(runId, call),
    cancel: ({ runId }) => playground.cancel(runId),
  });
