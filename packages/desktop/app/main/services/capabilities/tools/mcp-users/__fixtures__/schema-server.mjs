// An MCP server whose tools promise structured results by output schemas, and keep or break the promise. It is made with the
// SDK's plain server, which checks nothing.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const promise = {
  $id: 'https://example.com/same',
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
};
const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const text = [{ type: 'text', text: 'an answer' }];

const tools = {
  kept: { schema: promise, answer: { content: text, structuredContent: { n: 1 } } },
  broken: { schema: promise, answer: { content: text, structuredContent: { n: 'one' } } },
  missing: { schema: promise, answer: { content: text } },
  failed: { schema: promise, answer: { content: text, isError: true } },
  other: {
    schema: { ...promise, properties: { n: { type: 'string' } } },
    answer: { content: text, structuredContent: { n: 'one' } },
  },
  unusable: { schema: { type: 'object', $ref: '#/nowhere' }, answer: { content: text, structuredContent: { n: 1 } } },
};

const server = new Server({ name: 'schemas', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(tools).map(([name, { schema: outputSchema }]) => ({ name, inputSchema, outputSchema })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => tools[name].answer);
await server.connect(new StdioServerTransport());
