import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  ProcessManager,
  type ProcessManagerOptions,
  ServerEnvironment,
} from '../../../../../../platform/process/index.ts';
import { silentLogger } from '../../../../../capabilities/tools/mcp-users/__fixtures__/pool.ts';
import { loadDirectMcpTools, type ResolvedMcpServer } from '../DirectMcpToolAdapter.ts';
import type { ITool } from '../ITool.ts';
import { McpProcessTracker } from '../McpProcessTracker.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bin = (packageName: string) =>
  local(`../../../../../../../../../../node_modules/@modelcontextprotocol/${packageName}/dist/index.js`);
export const fixture = (name: string) => local(`../../../../../capabilities/tools/mcp-users/__fixtures__/${name}`);

export const node = (...args: string[]) => ({ command: process.execPath, args });
export const EVERYTHING = node(bin('server-everything'), 'stdio');
export const MEMORY = node(bin('server-memory'));

export const tracker = McpProcessTracker.getInstance();

export function byToolName(tools: readonly ITool[]) {
  return (name: string): ITool => {
    const found = tools.find(({ origin }) => origin?.toolName === name);
    if (!found) throw new Error(`no tool ${name}`);
    return found;
  };
}

export type Server = Omit<ResolvedMcpServer, 'host'>;

/** The direct connections of one run, ended when the test is over. */
export async function direct(
  servers: Server[],
  options: Parameters<typeof loadDirectMcpTools>[1] & Pick<ProcessManagerOptions, 'ledgerFile'> = {},
) {
  const { ledgerFile, ...loading } = options;
  const processes = new ProcessManager({
    environment: new ServerEnvironment({ readShellPath: async () => undefined }),
    ledgerFile,
  });
  onTestFinished(async () => {
    await tracker.closeAll();
    processes.dispose();
  });
  const host = { processes, clientInfo: { name: 'tinyelf-test', version: '0' }, logger: silentLogger };
  const resolved = servers.map((server) => ({ ...server, host }));
  const loaded = await loadDirectMcpTools(resolved, loading);
  return { ...loaded, tool: byToolName(loaded.tools) };
}
