import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { MCPTool, McpServerState, RejectedTool } from '@shared/contracts/mcp-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

interface ServersState {
  /** Null until main has answered. */
  servers: McpServerStatus[] | null;
  /** Tools by server id, as far as someone asked for them. */
  tools: Readonly<Record<string, MCPTool[]>>;
  /** Definitions that can't be used, by server id; known together with `tools`. */
  rejected: Readonly<Record<string, RejectedTool[]>>;
  load(): Promise<void>;
  replace(servers: McpServerStatus[]): void;
  setState(serverId: string, state: McpServerState): void;
  /** Fills `tools` from the cached listing, which connects nothing; `refresh` asks the server. */
  loadTools(serverId: string, refresh?: boolean): Promise<void>;
  forgetTools(serverId: string): void;
}

export const useServers = create<ServersState>()((set) => ({
  servers: null,
  tools: {},
  rejected: {},
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
  async loadTools(serverId, refresh = false) {
    const { tools, rejected } = await unwrap(api().mcp.tools({ serverId, refresh }));
    set((state) => ({
      tools: { ...state.tools, [serverId]: tools },
      rejected: { ...state.rejected, [serverId]: rejected },
    }));
  },
  forgetTools(serverId) {
    set(({ tools: { [serverId]: _tools, ...tools }, rejected: { [serverId]: _rejected, ...rejected } }) => ({
      tools,
      rejected,
    }));
  },
}));
