import { mcpContract } from '@shared/contracts/mcp.contract.ts';
import type { McpService } from '../capabilities/tools/mcp-users/McpService.ts';
import { parseServersJson, withInputs } from '../capabilities/tools/mcp-users/parse-servers-json.ts';
import { defineRouter } from './router.ts';

export const createMcpRouter = (mcp: McpService) =>
  defineRouter(mcpContract, {
    list: () => mcp.listServers(),
    add: ({ enabled, ...draft }) => mcp.add(draft, { enabled }),
    update: ({ serverId, ...input }) => mcp.update(serverId, input),
    remove: ({ serverId }) => mcp.remove(serverId),
    setEnabled: ({ serverId, enabled, consent }) => mcp.setEnabled(serverId, enabled, { consent }),
    restart: ({ serverId }) => mcp.restart(serverId),
    tools: ({ serverId, refresh }) => mcp.tools(serverId, { refresh }),
    test: ({ serverId, testId, ...draft }) => mcp.testConnection(draft, { serverId, testId }),
    stopTest: ({ testId }) => mcp.stopTest(testId),
    parseJson: ({ text }) => parseServersJson(text),
    import: ({ servers, inputs }) => mcp.importServers(withInputs(servers, inputs)),
  });
