import { mcpRequestsContract } from '@shared/contracts/mcp-requests.contract.ts';
import type { ServerGrants } from '../capabilities/tools/mcp-users/server-requests/ServerGrants.ts';
import type { ServerRequests } from '../capabilities/tools/mcp-users/server-requests/ServerRequests.ts';
import { defineRouter } from './router.ts';

export const createMcpRequestsRouter = (requests: ServerRequests, grants: ServerGrants) =>
  defineRouter(mcpRequestsContract, {
    list: () => requests.list(),
    answer: ({ id, answer }) => requests.answer(id, answer),
    grants: ({ serverId }) => grants.of(serverId),
    addRoot: ({ serverId }) => grants.addRoot(serverId),
    removeRoot: ({ serverId, folder }) => grants.removeRoot(serverId, folder),
    setLogLevel: ({ serverId, level }) => grants.setLogLevel(serverId, level),
  });
