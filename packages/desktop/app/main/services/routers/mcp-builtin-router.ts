import { mcpBuiltinContract } from '@shared/contracts/mcp-builtin.contract.ts';
import type { BuiltinServers } from '../capabilities/tools/mcp-users/builtin/BuiltinServers.ts';
import { defineRouter } from './router.ts';

export const createMcpBuiltinRouter = (builtins: BuiltinServers) =>
  defineRouter(mcpBuiltinContract, {
    offers: () => builtins.offers(),
    chooseFolders: () => builtins.chooseFolders(),
    edit: ({ serverId, name, options }) => builtins.edit(serverId, name, options),
    add: ({ builtin, name, options }) => builtins.add(builtin, name, options),
  });
