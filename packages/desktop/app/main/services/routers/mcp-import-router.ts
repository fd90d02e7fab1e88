import { mcpImportContract } from '@shared/contracts/mcp-import.contract.ts';
import type { McpImport } from '../capabilities/tools/mcp-users/import/McpImport.ts';
import { defineRouter } from './router.ts';

export const createMcpImportRouter = (mcpImport: McpImport) =>
  defineRouter(mcpImportContract, {
    scan: () => mcpImport.scan(),
    apply: ({ scanId, picks }) => mcpImport.apply(scanId, picks),
    undo: ({ undoId }) => mcpImport.undo(undoId),
    exportServers: (options) => mcpImport.exportServers(options),
  });
