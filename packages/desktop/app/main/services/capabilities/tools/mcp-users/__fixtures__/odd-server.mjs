// A stdio server of the older protocol era, without any SDK, that misbehaves as its arguments say.
// Usage: node odd-server.mjs [--behaviour[=value] …]
import { appendFileSync } from 'node:fs';

const options = new Map(
  process.argv.slice(2).map((argument) => {
    const [name, ...value] = argument.replace(/^--/, '').split('=');
    return [name, value.join('=') || true];
  }),
);
const has = (name) => options.has(name);
const raw = (text) => process.stdout.write(text);
const send = (message) => raw(`${JSON.stringify({ jsonrpc: '2.0', ...message })}${has('crlf') ? '\r\n' : '\n'}`);
/** What the tests count and look up afterwards. */
const note = (text) => has('notes') && appendFileSync(options.get('notes'), `${text}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

note(`start ${process.pid}`);
if (has('stubborn')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
if (has('exit-at-once')) {
  process.stderr.write('cannot open the database token=sk-secret-value\n');
  process.exitCode = 3;
  process.exit();
}
if (has('banner')) raw('Server ready\n{"level":"info","msg":"x"}\n\n[1,2]\n{"jsonrpc":"2.0"}\n');
if (has('noise')) for (let i = 0; i < 5000; i++) raw(`noise ${i}\n`);

const inputSchema = { type: 'object', properties: {} };
const tool = (name, more = {}) => ({ name, description: `The tool ${name}`, inputSchema, ...more });

let tools = [
  'echo args text split u2028 big stderr slow progress silent crash hang-up odd null-result structured error rpc-error env change storm'
    .split(' ')
    .map((name) => tool(name)),
].flat();
if (has('bad-tools')) {
  tools = [
    tool('good_1', {
      outputSchema: { type: 'object', $id: 'https://x.example/s', properties: { n: { $ref: '#/$defs/Gone' } } },
    }),
    tool('empty', { inputSchema: {} }),
    tool('null', { inputSchema: null }),
    { name: 'missing' },
    tool('list', { inputSchema: [] }),
    tool('text', { inputSchema: { type: 'string' } }),
    tool('', {}),
    'not a tool',
    null,
    { inputSchema },
    tool('good_2', {
      outputSchema: { type: 'object', $id: 'https://x.example/s', properties: { s: { pattern: '(?i)abc' } } },
    }),
    tool('good_3', { description: 7, annotations: { readOnlyHint: 'yes', destructiveHint: true, title: 'Three' } }),
    tool('good_4', { annotations: { readOnlyHint: true, destructiveHint: true } }),
    tool('good_5', { annotations: 'none', title: null }),
    tool('good_1', { description: 'a second one of this name' }),
  ];
}
if (has('many')) tools = Array.from({ length: Number(options.get('many')) }, (_, i) => tool(`tool_${i}`));

let listings = 0;
function list(cursor) {
  listings++;
  note(`list ${cursor ?? ''}`);
  if (has('endless-cursor')) return { tools: [tool(`page_${listings}`), tool('same')], nextCursor: 'p2' };
  if (has('new-cursors')) return { tools: [tool(`page_${listings}`)], nextCursor: `c${listings}` };
  if (has('empty-cursor')) return { tools, nextCursor: '' };
  if (has('pages')) {
    const page = Number(cursor ?? 0);
    const names = [`a${page}`, `b${page}`, 'on_every_page'];
    return { tools: names.map((name) => tool(name)), ...(page < 2 && { nextCursor: String(page + 1) }) };
  }
  return { tools };
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });

async function call(id, { name, arguments: args = {}, _meta }) {
  const reply = (result) => send({ id, result });
  note(`call ${name}`);
  switch (name) {
    case 'echo':
      return reply(text(String(args.text)));
    case 'args':
      return reply(text(JSON.stringify(args)));
    case 'env':
      return reply(text(JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv.slice(2) })));
    case 'split': {
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: text('smørrebrød 日本 🦊') })}\n`);
      for (const byte of bytes) {
        process.stdout.write(Buffer.from([byte]));
        if (byte > 127) await sleep(5);
      }
      return undefined;
    }
    case 'u2028':
      return raw(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"a\u2028b\u2029c\u0085d"}]}}\n`,
      );
    case 'big':
      return reply(text('x'.repeat(args.bytes)));
    case 'stderr':
      process.stderr.write(args.lines ? 'log line\n'.repeat(45_000) : 'y'.repeat(400 * 1024));
      return process.stderr.write('\n', () => reply(text('done')));
    case 'slow':
      await sleep(args.ms);
      return reply(text('slept'));
    case 'progress':
      for (let i = 1; i <= args.times; i++) {
        await sleep(args.every);
        send({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: i } });
        send({
          method: 'notifications/progress',
          params: { progressToken: _meta?.progressToken, progress: i, total: args.times, message: `step ${i}` },
        });
      }
      return reply(text('finished'));
    case 'silent':
      return undefined;
    case 'crash':
      process.stderr.write('panic: out of cheese\n');
      return process.stderr.write('', () => process.exit(7));
    case 'hang-up':
      return process.stdout.end();
    case 'odd':
      return reply({
        content: [
          { type: 'text' },
          { type: 'text', text: 'kept' },
          { type: 'hologram', data: 1 },
          { type: 'image', data: '%%%', mimeType: 'image/png' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          'bare',
          null,
          { type: 'resource_link', uri: 'file:///a', name: 'a' },
          { type: 'resource', resource: { uri: 'file:///b', text: 'b' } },
          { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
        ],
      });
    case 'null-result':
      return reply(null);
    case 'structured':
      return reply({ structuredContent: { n: 3 } });
    case 'error':
      return reply({ isError: true, ...text('no such file'), structuredContent: { error: 'x' } });
    case 'rpc-error':
      return send({ id, error: { code: -32602, message: 'Unknown tool: rpc-error' } });
    case 'change':
      tools = [...tools, tool(args.name)];
      send({ method: 'notifications/tools/list_changed' });
      return reply(text('changed'));
    case 'storm':
      for (let i = 0; i < 50; i++) {
        tools = [...tools, tool(`storm_${i}`)];
        send({ method: 'notifications/tools/list_changed' });
        await sleep(10);
      }
      return reply(text('stormed'));
    default:
      return reply({ isError: true, ...text(`no tool ${name}`) });
  }
}

let failures = Number(options.get('fail-lists') ?? 0);
async function answer({ id, method, params }) {
  if (method === 'server/discover') note('probe');
  if (method === 'notifications/cancelled') note(`cancelled ${JSON.stringify(params)}`);
  if (id === undefined) return;
  if (method === 'initialize') {
    if (has('silent-start')) return;
    if (has('initialize')) return send({ id, result: JSON.parse(options.get('initialize')) });
    if (has('slow-start')) await sleep(Number(options.get('slow-start')));
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: has('no-tools') ? {} : { tools: { listChanged: true } },
        serverInfo: { name: 'odd', version: '1.2.3' },
      },
    });
    if (has('die-after-start')) setTimeout(() => process.exit(1), 200);
    if (has('exit-after-init')) process.stdout.write('', () => process.exit(1));
  } else if (method === 'tools/list') {
    if (has('no-list')) send({ id, error: { code: -32601, message: 'Method not found' } });
    else if (listings > 0 && failures-- > 0) {
      note('failed list');
      send({ id, error: { code: -32000, message: 'not now' } });
    } else {
      const result = list(params?.cursor);
      if (has('slow-list')) await sleep(Number(options.get('slow-list')));
      send({ id, result });
    }
  } else if (method === 'tools/call') {
    await call(id, params);
  } else if (has('exit-at-probe')) {
    process.exit(1);
  } else if (!has('silent-probe')) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.trim()) void answer(JSON.parse(line));
});
process.stdin.on('end', () => {
  if (!has('stubborn')) process.exit();
});
