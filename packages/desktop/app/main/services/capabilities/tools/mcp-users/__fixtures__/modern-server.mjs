// A server of the newer protocol revision on its own SDK, whose list of tools can grow. Arguments: `slow` takes longer to start
// than anyone waits for an answer, `strict` speaks no older revision.
import { setTimeout as sleep } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

if (process.argv.includes('slow')) await sleep(3500);

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '2.0.0' });
    server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
    server.registerTool('grow', {}, () => {
      server.registerTool('grown', {}, () => ({ content: [] }));
      return { content: [{ type: 'text', text: 'grown' }] };
    });
    return server;
  },
  process.argv.includes('strict') ? { legacy: 'reject' } : {},
);
