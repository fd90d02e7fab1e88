// What a server of the newer protocol revision on its own SDK offers: resources, a template, prompts, and some that ask first.
import {
  completable,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const FRUIT = ['apple', 'apricot', 'banana'];
const WHO = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

/** Asks for a name once, and then gives it to `use`. */
function askingFirst<T>({ mcpReq }: ServerContext, use: (text: string) => T): T | InputRequiredResult {
  const who = mcpReq.inputResponses?.who as { action: string; content?: { name: string } } | undefined;
  if (!who) {
    const question = inputRequired.elicit({ message: 'Who are you?', requestedSchema: WHO });
    return inputRequired({ inputRequests: { who: question }, requestState: 'asked' });
  }
  return use(`${who.content?.name ?? who.action}, ${mcpReq.requestState()}`);
}

/** @param grown whether it has the resource that the tool `grow` adds */
export function makeContentServer(grown = false) {
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
  const complete = { name: (value: string) => FRUIT.filter((fruit) => fruit.startsWith(value)) };
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
  const grow = () =>
    server.registerResource('late', 'note://late', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'late' }] }));
  if (grown) grow();
  server.registerTool('grow', {}, () => {
    grow();
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  return server;
}
