// A server of the older era for the bench. `--mark TEXT` makes its process findable; `--tools N` sets how many tools it has
// (25); `--http` serves streamable HTTP on a free port, which it prints. Over stdio: `--stubborn` ignores the end of input and
// SIGTERM; `--detached` starts a program in a session of its own; `--exit-at-probe` ends at the newer era's first question.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { serverTools } from './tools.mjs';

/** A bench that was killed leaves nothing for ever. In seconds. */
const LONGEST_LIFE = 180;
const LINE = 'The quick brown fox said "jump" – naïve café, 日本語, \\path\\to\\file.\n';

const { values: options } = parseArgs({
  options: {
    mark: { type: 'string' },
    tools: { type: 'string', default: '25' },
    http: { type: 'boolean', default: false },
    stubborn: { type: 'boolean', default: false },
    detached: { type: 'boolean', default: false },
    'exit-at-probe': { type: 'boolean', default: false },
  },
});
const tools = serverTools(Number(options.tools));

// Counted below the SDK, so that nothing which arrives is missed: a message of stdio is a line.
let messages = 0;

function newServer() {
  const server = new Server(
    { name: 'bench-server', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  const answers = {
    echo: ({ text }) => String(text),
    blob: ({ bytes }) => LINE.repeat(Math.ceil(bytes / Buffer.byteLength(LINE))),
    count_messages: () => String(messages),
    change_list: async () => {
      await server.sendToolListChanged();
      return 'said';
    },
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => ({
    content: [{ type: 'text', text: await answers[name](args) }],
  }));
  return server;
}

async function serveStdio() {
  if (options.stubborn) {
    process.on('SIGTERM', () => {});
    setTimeout(() => process.exit(), LONGEST_LIFE * 1000);
  } else {
    process.stdin.once('end', () => process.exit());
  }
  if (options.detached) {
    const script = `trap '' TERM HUP; for second in $(seq ${LONGEST_LIFE}); do sleep 1; done`;
    spawn('sh', ['-c', script, options.mark], { detached: true, stdio: 'ignore' }).unref();
  }
  const transport = new StdioServerTransport();
  await newServer().connect(transport);
  if (options['exit-at-probe']) {
    const { onmessage } = transport;
    transport.onmessage = (message, ...more) => {
      if (message.method === 'server/discover') process.exit(1);
      onmessage(message, ...more);
    };
  }
  process.stdin.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 0x0a) messages += 1;
  });
}

function serveHttp() {
  const sessions = new Map();
  const listener = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      });
      await newServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  setTimeout(() => process.exit(), LONGEST_LIFE * 1000);
  listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
}

if (options.http) serveHttp();
else await serveStdio();
