// A stdio server whose behaviour is a program given as its argument: `node scripted-server.mjs PROGRAM`. The program may set
// `tools`, and `on[METHOD] = (message, reply) => …` for any method; what it leaves alone is answered as a good server would.
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

const raw = (text) => writeSync(1, text);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
const on = {
  initialize: ({ params }, reply) =>
    reply({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'scripted', version: '1' },
    }),
  'tools/list': (_message, reply) => reply({ tools }),
  'tools/call': ({ params }, reply) => reply(text(JSON.stringify(params.arguments))),
};

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    const handler = on[message.method];
    if (handler) handler(message, (result) => send({ id: message.id, result }));
    else if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  }
});
process.stdin.on('end', () => process.exit());

const setTools = (given) => {
  tools = given;
};
const AsyncFunction = (async () => {}).constructor;
await new AsyncFunction('on', 'setTools', 'send', 'raw', 'text', 'sleep', 'spawn', process.argv[2])(
  on,
  setTools,
  send,
  raw,
  text,
  sleep,
  spawn,
);
