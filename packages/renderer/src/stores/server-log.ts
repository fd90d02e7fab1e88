import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';

type Listener = (entry: McpLogEntry) => void;

const listeners = new Map<string, Set<Listener>>();

/** Calls `listener` for each new line of a server's log. Returns the function that ends it. */
export function followServerLog(serverId: string, listener: Listener): () => void {
  const ofServer = listeners.get(serverId) ?? new Set();
  listeners.set(serverId, ofServer.add(listener));
  return () => {
    ofServer.delete(listener);
    if (ofServer.size === 0) listeners.delete(serverId);
  };
}

export function publishServerLog(entry: McpLogEntry): void {
  for (const listener of listeners.get(entry.serverId) ?? []) listener(entry);
}
