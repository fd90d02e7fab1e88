import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler, McpServer, type Server } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** Adds, and waits until the call is given up. */
function plainServer(aborted: string[]): McpServer {
  const server = new McpServer({ name: 'modern-http', version: '2.0.0' });
  server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.registerTool('wait', {}, async (context) => {
    await new Promise<void>((resolve) => context.mcpReq.signal.addEventListener('abort', () => resolve()));
    aborted.push('wait');
    return { content: [] };
  });
  return server;
}

/**
 * A server of the newer protocol revision over HTTP, on its own SDK. Closed when the test is over.
 * @param make makes the server of one request. Default: one with the tools `add` and `wait`
 */
export async function modernHttpServer(make?: () => McpServer | Server) {
  const aborted: string[] = [];
  let listeners = 0;
  const handler = createMcpHandler(make ?? (() => plainServer(aborted)));
  const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const body = request.method === 'POST' ? Readable.toWeb(request) : undefined;
    const init = { method: request.method, headers: request.headers as Record<string, string>, body, duplex: 'half' };
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(new Request(url, { ...init, signal: gone.signal } as RequestInit));
    if (request.headers['mcp-method'] === 'subscriptions/listen') listeners++;
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return response.end();
    const stream = Readable.fromWeb(answer.body as ReadableStream);
    stream.on('error', () => response.destroy());
    return stream.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    aborted,
    notify: handler.notify,
    /** How many streams of changes were opened so far. */
    listeners: () => listeners,
    dropStreams: () => server.closeAllConnections(),
  };
}
