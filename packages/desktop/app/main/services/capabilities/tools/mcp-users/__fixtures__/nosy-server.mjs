// A server of the older era without any SDK, which asks too much, too oddly, or takes it back. What it is asked to call
// says how; it answers the call with what it was answered.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const waiting = new Map();
let nextId = 1;
const ask = (method, params, id = nextId++) =>
  new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
const form = (properties, message = '<b>Who</b> \u202Eare you?') => ({
  message,
  requestedSchema: { type: 'object', properties },
});

const tools = {
  ask: () => ask('elicitation/create', form({ name: { type: 'string', title: '<img src=x onerror=alert(1)>\u202E' } })),
  nested: () => ask('elicitation/create', form({ a: { type: 'object', properties: { b: { type: 'string' } } } })),
  huge: () =>
    ask(
      'elicitation/create',
      form(Object.fromEntries([...Array(50_000).keys()].map((n) => [`f${n}`, { type: 'string' }]))),
    ),
  flood: () =>
    Promise.all([...Array(100).keys()].map(() => ask('elicitation/create', form({ a: { type: 'boolean' } })))),
  withdraw: async () => {
    void ask('elicitation/create', form({ name: { type: 'string' } }), 'w1');
    await new Promise((resolve) => setTimeout(resolve, 300));
    send({ method: 'notifications/cancelled', params: { requestId: 'w1' } });
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 'withdrawn';
  },
  tools: () =>
    ask('sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
      maxTokens: 1,
      tools: [{ name: 't', inputSchema: { type: 'object' } }],
    }),
  unknown: () => ask('tasks/create', {}),
  leave: () => {
    void ask('elicitation/create', form({ name: { type: 'string' } }));
    setTimeout(() => process.exit(3), 300);
    return new Promise(() => {});
  },
};

const capabilities = { tools: {}, logging: {} };
let level = 'unset';
let rootsAsked = 0;
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  const reply = (content) => send({ id, result: content });
  if (method === undefined) return waiting.get(id)?.(error ? { error } : result);
  switch (method) {
    case 'initialize':
      return reply({
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: 'nosy', version: JSON.stringify(params.capabilities) },
      });
    case 'tools/list':
      return reply({
        tools: [...Object.keys(tools), 'state'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      });
    case 'logging/setLevel':
      level = params.level;
      return reply({});
    case 'notifications/roots/list_changed':
      rootsAsked++;
      return;
    case 'tools/call': {
      const answer =
        params.name === 'state' ? { level, rootsAsked, roots: await ask('roots/list') } : await tools[params.name]();
      return reply({ content: [{ type: 'text', text: JSON.stringify(answer) }] });
    }
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
