// The app's own pool as a peer: McpService and platform/process as the app runs them, with a store and a secret box that
// live in memory.
import { importFromApp } from './lib/app-modules.mjs';

const { McpService } = await importFromApp('main/services/capabilities/tools/mcp-users/McpService.ts');
const { ProcessManager, ServerEnvironment } = await importFromApp('main/platform/process/index.ts');

export const packages = ['@modelcontextprotocol/client'];

// The app asks the login shell for its PATH once, while its window opens: what the user's profile costs is no part of it.
const environment = new ServerEnvironment();
await environment.prepare();

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };

export default function create() {
  let document;
  const processes = new ProcessManager({ environment, logger });
  const service = new McpService({
    store: {
      read: () => document,
      write: (value) => {
        document = structuredClone(value);
      },
    },
    secrets: { seal: async (plain) => plain, open: async (sealed) => sealed },
    processes,
    fetch: globalThis.fetch,
    logger,
    clientInfo: { name: 'tinyelf-bench', version: '1.0.0' },
  });
  const ids = new Map();
  let calls = 0;
  return {
    name: 'TinyElf McpService',
    service,
    connectAll: async (servers) => {
      await Promise.all(
        servers.map(async ({ id, command, args, url }) => {
          const config = url ? { url } : { command, args };
          const server = await service.add({ name: id, type: url ? 'http' : 'stdio', config });
          ids.set(id, server.id);
          await service.connect(server.id);
        }),
      );
    },
    listAll: () => service.listAllActiveServerTools(),
    call: (server, tool, args) => service.callTool(ids.get(server), tool, args, `call-${calls++}`),
    closeAll: async () => {
      await service.closeAll();
      await processes.stopAll();
      processes.dispose();
    },
  };
}
