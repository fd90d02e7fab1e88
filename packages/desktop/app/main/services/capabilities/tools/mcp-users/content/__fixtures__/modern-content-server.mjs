// A server of the newer protocol revision on its own SDK, with resources, a template, and a prompt that can be completed.
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const FRUIT = ['apple', 'apricot', 'banana'];

serveStdio(() => {
  const server = new McpServer({ name: 'modern-content', version: '2.0.0' });
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'A note of the newer kind.' }],
  }));
  const complete = { name: (value) => FRUIT.filter((fruit) => fruit.startsWith(value)) };
  server.registerResource(
    'fruit',
    new ResourceTemplate('fruit://{name}', { list: undefined, complete }),
    {},
    (uri) => ({
      contents: [{ uri: uri.href, text: `All about ${uri.href}` }],
    }),
  );
  const argsSchema = z.object({
    fruit: completable(z.string(), (value) => FRUIT.filter((fruit) => fruit.startsWith(value))),
  });
  server.registerPrompt('praise', { description: 'Praises a fruit', argsSchema }, ({ fruit }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Praise the ${fruit}.` } }],
  }));
  server.registerTool('grow', {}, () => {
    server.registerResource('late', 'note://late', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'late' }] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  return server;
});
