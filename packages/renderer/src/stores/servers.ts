import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { MCPTool, McpServerState } from '@shared/contracts/mcp-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

interface ServersState {
  /** Null until main has answered. */
  servers: McpServerStatus[] | null;
  /** Tools by server id, as far as someone asked for them. */
  tools: Readonly<Record<string, MCPTool[]>>;
  load(): Promise<void>;
  replace(servers: McpServerStatus[]): void;
  setState(serverId: string, state: McpServerState): void;
  /** Fills `tools` from the cached listing; connects nothing. */
  loadTools(serverId: string): Promise<void>;
  forgetTools(serverId: string): void;
}

export const useServers = create<ServersState>()((set) => ({
  servers: null,
  tools: {},
  async load() {
    set({ servers: await unwrap(api().mcp.list()) });
  },
  replace(servers) {
    set({ servers });
  },
  setState(serverId, state) {
    set(({ servers }) => ({
      servers: servers?.map((status) => (status.server.id === serverId ? { ...status, state } : status)) ?? null,
    }));
  },
  async loadTools(serverId) {
    const { tools } = await unwrap(api().mcp.tools({ serverId }));
    set((state) => ({ tools: { ...state.tools, [serverId]: tools } }));
  },
  forgetTools(serverId) {
    set(({ tools: { [serverId]: _dropped, ...tools } }) => ({ tools }));
  },
}));
