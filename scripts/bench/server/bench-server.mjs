// A stdio server of the older era for the bench. `--mark TEXT` makes its process findable; `--tools N` sets how many tools
// it has (25); `--stubborn` makes it ignore the end of its input and SIGTERM.
import { parseArgs } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { serverTools } from './tools.mjs';

/** A bench that was killed leaves nothing for ever. In milliseconds. */
const LONGEST_LIFE = 3 * 60_000;

const { values: options } = parseArgs({
  options: {
    mark: { type: 'string' },
    tools: { type: 'string', default: '25' },
    stubborn: { type: 'boolean', default: false },
  },
});

if (options.stubborn) {
  process.on('SIGTERM', () => {});
  setTimeout(() => process.exit(), LONGEST_LIFE);
} else {
  process.stdin.once('end', () => process.exit());
}

const tools = serverTools(Number(options.tools));
const server = new Server({ name: 'bench-server', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }) => ({
  content: [{ type: 'text', text: name === 'count_messages' ? String(messages) : String(args.text) }],
}));
await server.connect(new StdioServerTransport());

// Counted below the SDK, so that nothing which arrives is missed: a message of stdio is a line.
let messages = 0;
process.stdin.on('data', (chunk) => {
  for (const byte of chunk) if (byte === 0x0a) messages += 1;
});
