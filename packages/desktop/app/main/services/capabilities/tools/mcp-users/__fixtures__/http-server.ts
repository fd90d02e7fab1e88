import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Message {
  id?: number;
  method: string;
  params?: Record<string, unknown>;
}

/** One request that arrived, as far as tests look at it. */
export interface Arrival {
  verb: string;
  method: string | undefined;
  headers: IncomingMessage['headers'];
}

export interface OddHttpOptions {
  /** Status that POST answers with instead of serving, or undefined. Looked at for each request. */
  postStatus?: () => number | undefined;
  /** Answers a GET. Default: 405. */
  get?: (response: ServerResponse) => void;
  /** How a request for a session that isn't known is refused. */
  lostSession?: { status: number; body: string };
  /** Never answers DELETE. */
  silentDelete?: boolean;
  /** Has forgotten every session whenever a tool is called. */
  forgetful?: boolean;
  /** What it offers besides tools. */
  capabilities?: Record<string, unknown>;
  /** Gives the result of a request; undefined leaves it to the server. */
  answer?: (method: string, params: Record<string, unknown>) => unknown;
  /** Ends the answer's stream without an answer for this tool. */
  cutOff?: string;
}

/** A streamable HTTP server of the older era without any SDK, which misbehaves as told. Closed when the test is over. */
export async function oddHttpServer(options: OddHttpOptions = {}) {
  const arrivals: Arrival[] = [];
  const sessions = new Set<string>();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message: Message | undefined = body ? JSON.parse(body) : undefined;
    arrivals.push({ verb: request.method ?? '', method: message?.method, headers: request.headers });
    if (request.method === 'GET') return options.get ? options.get(response) : response.writeHead(405).end();
    if (request.method === 'DELETE') return options.silentDelete ? undefined : response.writeHead(200).end();
    const status = options.postStatus?.();
    if (status !== undefined) return response.writeHead(status).end(`status ${status}`);
    if (message) return answer(message, request.headers['mcp-session-id'], response);
    return response.writeHead(400).end();
  };

  const answer = (message: Message, session: string | string[] | undefined, response: ServerResponse) => {
    const reply = (content: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(content as object) }));
    if (message.method === 'server/discover') return response.writeHead(400).end('Bad Request: Server not initialized');
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      const capabilities = { tools: {}, ...options.capabilities };
      const serverInfo = { name: 'odd-http', version: '1' };
      const { protocolVersion } = message.params ?? {};
      return reply({ result: { protocolVersion, capabilities, serverInfo } }, { 'mcp-session-id': id });
    }
    if (options.forgetful && message.method === 'tools/call') sessions.clear();
    if (typeof session !== 'string' || !sessions.has(session)) {
      const { status, body } = options.lostSession ?? { status: 404, body: 'Session not found' };
      return response.writeHead(status).end(body);
    }
    if (message.id === undefined) return response.writeHead(202).end();
    const result = options.answer?.(message.method, message.params ?? {});
    if (result !== undefined) return reply({ result });
    if (message.method === 'tools/list') {
      return reply({ result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
    }
    if (options.cutOff !== undefined && message.params?.name === options.cutOff) {
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    }
    return reply({ result: { content: [{ type: 'text', text: JSON.stringify(message.params?.arguments) }] } });
  };

  const server = createServer((request, response) => void serve(request, response));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    arrivals,
    count: (method: string) => arrivals.filter((arrival) => arrival.method === method).length,
    /** What a restart does to a server. */
    forgetSessions: () => sessions.clear(),
    close,
    reopen: () => listen(port),
  };
}
