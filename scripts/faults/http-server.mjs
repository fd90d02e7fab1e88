import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fingerprint } from './answers.mjs';

const DRIP_MS = 200;
const LATE_MS = 500;
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

/**
 * A server over streamable HTTP that misbehaves as told. Its tools: `echo`, which answers with its arguments, and `late`, which
 * does so after half a second; `drip`, which sends a sign of life every 200 ms and never an answer; `cut`, whose stream ends
 * without one; `tear`, whose connection does.
 */
export async function startHttpServer() {
  const given = [];
  const methods = [];
  const sessions = new Set();
  const drips = new Set();
  let refused = false;
  let unknownSession = 404;

  function echo(response, id, args) {
    // Given up by whoever asked.
    if (response.destroyed) return;
    const content = [{ type: 'text', text: JSON.stringify(args) }];
    reply(response, id, { content });
    given.push(fingerprint(content));
  }

  const tools = {
    echo,
    late: (response, id, args) => setTimeout(echo, LATE_MS, response, id, args),
    drip: (response) => {
      response.writeHead(200, EVENT_STREAM);
      const timer = setInterval(() => response.write(':'), DRIP_MS);
      drips.add(timer);
      response.on('close', () => {
        clearInterval(timer);
        drips.delete(timer);
      });
    },
    cut: (response) => response.writeHead(200, EVENT_STREAM).end(': nothing\n\n'),
    tear: (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write('data: {"jsonrpc":', () => response.destroy());
    },
  };

  function reply(response, id, result, headers = {}) {
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  function answer({ id, method, params }, session, response) {
    if (method === 'server/discover') return response.writeHead(400).end('Bad Request: Server not initialized');
    if (method === 'initialize') {
      const created = randomUUID();
      sessions.add(created);
      const { protocolVersion } = params;
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'faulty', version: '1.0.0' } };
      return reply(response, id, result, { 'mcp-session-id': created });
    }
    if (!sessions.has(session)) return response.writeHead(unknownSession).end('No valid session');
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/call') return tools[params.name](response, id, params.arguments);
    const listed = Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } }));
    return reply(response, id, method === 'tools/list' ? { tools: listed } : {});
  }

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = body ? JSON.parse(body) : undefined;
    methods.push(message?.method ?? request.method);
    if (refused) return response.writeHead(401).end();
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (request.method !== 'POST') return response.writeHead(405).end();
    return answer(message, request.headers['mcp-session-id'], response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();

  async function goDown() {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`,
    /** Fingerprints of the answers that were sent. */
    given,
    /** How many requests came, or how many of one JSON-RPC method. */
    count: (method) => (method === undefined ? methods.length : methods.filter((each) => each === method).length),
    /** How many answers are still dripping. */
    dripping: () => drips.size,
    /** @param status with which it answers whoever still has a session */
    forgetSessions: (status) => {
      unknownSession = status;
      sessions.clear();
    },
    goDown,
    /** At the same address, with no session any more. */
    comeBack: async () => {
      sessions.clear();
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    /** Whether every request is answered with 401 from now on. */
    refuse: (value) => {
      refused = value;
    },
    close: goDown,
  };
}
