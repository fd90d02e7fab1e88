import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { McpServerLimits } from '@shared/contracts/mcp-types.ts';
import { onTestFinished } from 'vitest';
import type { McpService } from '../McpService.ts';
import { stateOf, until } from './pool.ts';

const SCRIPTED = fileURLToPath(new URL('scripted-server.mjs', import.meta.url));
const scripted = (program: string) => ({ command: process.execPath, args: [SCRIPTED, program] });

/** Adds the scripted server with a program of its own. @returns its id */
export async function addScripted(
  service: McpService,
  program: string,
  limits?: McpServerLimits,
  env?: Record<string, string>,
): Promise<string> {
  const { id } = await service.add({ name: 'scripted', type: 'stdio', config: { ...scripted(program), env }, limits });
  return id;
}

/** Waits until the server is ready. */
export const ready = (service: McpService, id: string) =>
  until(() => stateOf(service, id).status === 'ready', 'the server is ready');

/** A server at an address. Answers as `program` says, or as a good server of the older era where it returns undefined. */
export async function httpServer(
  program: (message: { id?: number; method: string }, request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const arrivals: { verb: string | undefined; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrivals.push({ verb: request.method, headers: request.headers });
    const message = body ? JSON.parse(body) : { method: request.method };
    if (program(message, request, response) !== undefined) return;
    const reply = (result: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    };
    const { protocolVersion } = message.params ?? {};
    const serverInfo = { name: 'http', version: '1' };
    if (message.method === 'initialize') reply({ protocolVersion, capabilities: { tools: {} }, serverInfo });
    else if (message.method === 'tools/list') reply({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    else if (message.method === 'tools/call') reply({ content: [{ type: 'text', text: 'echo' }] });
    else response.writeHead(message.id === undefined && request.method === 'POST' ? 202 : 405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, arrivals };
}

/** Adds a server at an address. @returns its id */
export async function addHttp(service: McpService, url: string, headers?: Record<string, string>): Promise<string> {
  const { id } = await service.add({ name: 'http', type: 'http', config: { url, headers } });
  return id;
}
