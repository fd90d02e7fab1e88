import { mcpLogContract } from '@shared/contracts/mcp-log.contract.ts';
import type { McpLog } from '../capabilities/tools/mcp-users/log/McpLog.ts';
import { defineRouter } from './router.ts';

export const createMcpLogRouter = (log: McpLog) =>
  defineRouter(mcpLogContract, {
    read: ({ serverId, after }) => log.read(serverId, after),
    setRecording: ({ serverId, recording }) => log.setRecording(serverId, recording),
    clear: ({ serverId }) => log.clear(serverId),
  });
