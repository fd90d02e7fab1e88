// A stdio server of the older protocol era, without any SDK, whose resources and prompts are as odd as its arguments say.
// Usage: node odd-content-server.mjs [--behaviour[=value] …]
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const options = new Map(
  process.argv.slice(2).map((argument) => {
    const [name, ...value] = argument.replace(/^--/, '').split('=');
    return [name, value.join('=') || true];
  }),
);
const has = (name) => options.has(name);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const note = (text) => has('notes') && appendFileSync(options.get('notes'), `${text}\n`);

const capabilities = {
  tools: {},
  ...(has('silent') ? {} : { resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } }),
  ...(has('completions') && { completions: {} }),
};

const RESOURCES = [
  { uri: 'x://good', name: 'good', size: -1, mimeType: 7 },
  null,
  'x://text',
  { name: 'no address' },
  { uri: '', name: 'empty address' },
  { uri: 'x://good', name: 'the same address again' },
  { uri: 'x://bare' },
];
const TEMPLATES = [
  { uriTemplate: 'x://{a}/{b}', name: 'two' },
  { uriTemplate: 'x://{open', name: 'broken' },
  { name: 'none' },
  7,
];
const PROMPTS = [
  {
    name: 'good',
    arguments: [{ name: 'topic', required: 'yes' }, null, {}, { name: 'topic' }, { name: 'tone', required: true }],
  },
  {},
  [],
  { name: 'plain', arguments: 'none' },
];

let listings = 0;
let version = 1;

function read(uri) {
  const size = Number(uri.replace(/^x:\/\/big\//, ''));
  if (size > 0) return { contents: [{ uri, mimeType: 'text/plain', text: 'é'.repeat(size / 2) }] };
  if (uri === 'x://picture') return { contents: [{ uri, mimeType: 'image/png', blob: 'iVBORw0KGgo=' }] };
  if (uri === 'x://huge-picture') return { contents: [{ uri, mimeType: 'image/png', blob: 'A'.repeat(6_000_000) }] };
  if (uri === 'x://json') return { contents: [{ uri, mimeType: 'application/json', blob: btoa('{"a":1}') }] };
  if (uri === 'x://binary') return { contents: [{ uri, mimeType: 'application/pdf', blob: 'AAAA' }] };
  if (uri === 'x://folder') {
    return {
      contents: [null, { uri: 'x://folder/a', text: 'A' }, { uri: 'x://folder/b' }, { uri: 'x://folder/c', text: 'C' }],
    };
  }
  if (uri === 'x://many') {
    return { contents: Array.from({ length: 500 }, (_, i) => ({ uri: `x://many/${i}`, text: 'm'.repeat(30_000) })) };
  }
  if (uri === 'x://nothing') return { contents: [] };
  if (uri === 'x://null') return null;
  if (uri === 'x://asks') return { resultType: 'input_required', inputRequests: {} };
  if (uri === 'x://good') return { contents: [{ uri, text: `version ${version}` }] };
  throw { code: -32002, message: 'Resource not found, token=sk-secret-value-1' };
}

function prompt() {
  return {
    messages: [
      null,
      { role: 'user', content: { type: 'text', text: 'Look at this.' } },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I do.' },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        ],
      },
      { role: 'user', content: { type: 'resource', resource: { uri: 'x://docs/inner.txt', text: 'inside' } } },
      { role: 'user', content: { type: 'resource_link', uri: 'x://good', name: 'good' } },
      { role: 'user', content: { type: 'hologram' } },
      { role: 'user', content: 'bare words' },
      { role: 'user' },
    ],
  };
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'odd', version: '1' } };
    case 'tools/list':
      return { tools: [] };
    case 'resources/list':
      listings++;
      if (has('endless')) return { resources: [{ uri: `x://${listings}`, name: 'again' }], nextCursor: 'p2' };
      if (has('no-list')) return {};
      return { resources: RESOURCES, ...(has('ttl') && { ttlMs: 0 }) };
    case 'resources/templates/list':
      if (has('no-templates')) throw { code: -32601, message: 'Method not found' };
      if (has('bad-templates')) throw { code: -32603, message: 'Boom' };
      return { resourceTemplates: TEMPLATES };
    case 'prompts/list':
      if (has('no-prompts')) throw { code: -32601, message: 'Method not found' };
      return { prompts: PROMPTS };
    case 'prompts/get':
      return prompt();
    case 'completion/complete':
      if (has('bad-completions')) throw { code: -32601, message: 'Method not found' };
      return { completion: { values: ['one', 2, 'one', 'two'], hasMore: 'perhaps' } };
    case 'resources/read':
      return read(params.uri);
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return {};
    default:
      throw { code: -32601, message: 'Method not found' };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method) note(`${message.method} ${message.params?.uri ?? ''}`.trim());
  if (message.id === undefined || !message.method) return;
  try {
    send({ id: message.id, result: answer(message) });
  } catch (error) {
    send({ id: message.id, error });
  }
  if (message.method === 'resources/subscribe') {
    version++;
    for (let i = 0; i < 200; i++)
      send({ method: 'notifications/resources/updated', params: { uri: message.params.uri } });
    send({ method: 'notifications/resources/updated', params: { uri: 'x://never-asked-for' } });
  }
  if (message.method === 'resources/list' && has('storm') && listings < 3) {
    for (let i = 0; i < 500; i++) send({ method: 'notifications/resources/list_changed' });
    send({ method: 'notifications/prompts/list_changed' });
  }
});
