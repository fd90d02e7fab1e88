import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';

const base = { id: 'one', name: 'one', enabled: true, consented: true };

export const stdioServer = (config: Partial<McpServerView['config']> = {}): McpServerView => ({
  ...base,
  type: 'stdio',
  config: { command: 'npx', envNames: [], headerNames: [], ...config },
});

export const httpServer = (config: Partial<McpServerView['config']> = {}): McpServerView => ({
  ...base,
  type: 'http',
  config: { url: 'https://example.com/mcp', envNames: [], headerNames: [], ...config },
});

export const statusOf = (server: McpServerView, state: McpServerState = { status: 'off' }): McpServerStatus => ({
  server,
  state,
});
