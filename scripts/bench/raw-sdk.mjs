// What everything is compared with: `@modelcontextprotocol/sdk` 1.x as its documentation shows it, one Client per server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export default function create() {
  const clients = new Map();
  return {
    connectAll: (servers) =>
      Promise.all(
        servers.map(async ({ id, command, args, url }) => {
          const client = new Client({ name: 'raw-sdk', version: '1.0.0' });
          const http = url && new StreamableHTTPClientTransport(new URL(url));
          await client.connect(http ?? new StdioClientTransport({ command, args }));
          clients.set(id, client);
        }),
      ),
    listAll: async () => {
      const listings = await Promise.all([...clients.values()].map((client) => client.listTools()));
      return listings.flatMap(({ tools }) => tools);
    },
    call: (server, tool, args) => clients.get(server).callTool({ name: tool, arguments: args }),
    closeAll: () => Promise.all([...clients.values()].map((client) => client.close())),
  };
}
