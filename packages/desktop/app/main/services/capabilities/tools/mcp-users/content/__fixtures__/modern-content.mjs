// What a server of the newer protocol revision on its own SDK offers: resources, a template, prompts, and some that ask first.
import { completable, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

const FRUIT = ['apple', 'apricot', 'banana'];
const WHO = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Asks for a name once, and then gives it to `use`. */
const askingFirst = ({ mcpReq }, use) => {
  const { who } = mcpReq.inputResponses ?? {};
  if (!who) {
    const question = inputRequired.elicit({ message: 'Who are you?', requestedSchema: WHO });
    return inputRequired({ inputRequests: { who: question }, requestState: 'asked' });
  }
  return use(`${who.content?.name ?? who.action}, ${mcpReq.requestState()}`);
};

/** @param told called with what the tools of the server do, to be told to others: `grow`, or an address that changed */
export function makeContentServer(told = () => {}) {
  const server = new McpServer(
    { name: 'modern-content', version: '2.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } } },
  );
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'A note of the newer kind.' }],
  }));
  server.registerResource('asks', 'note://asks', {}, (uri, context) =>
    askingFirst(context, (text) => ({ contents: [{ uri: uri.href, text }] })),
  );
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
  server.registerPrompt('asks', {}, (context) =>
    askingFirst(context, (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] })),
  );
  server.registerTool('grow', {}, () => {
    server.registerResource('late', 'note://late', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'late' }] }));
    told('grow');
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  server.registerTool('touch', {}, async () => {
    await server.server.sendResourceUpdated({ uri: 'note://one' });
    told('note://one');
    return { content: [] };
  });
  return server;
}
