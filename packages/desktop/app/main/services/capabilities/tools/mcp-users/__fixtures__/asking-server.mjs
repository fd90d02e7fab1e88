// A server of the newer protocol revision on its own SDK, whose tools ask the person in rounds.
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const NAME = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

serveStdio(() => {
  const server = new McpServer({ name: 'asking', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('form', {}, ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (!inputResponses?.who) {
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: 'Who are you?', requestedSchema: NAME }) },
        requestState: 'round-1',
      });
    }
    return text({ who: inputResponses.who, state: mcpReq.requestState() });
  });
  server.registerTool('all', {}, ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (!inputResponses) {
      return inputRequired({
        inputRequests: {
          page: inputRequired.elicitUrl({ message: 'Visit', url: 'https://example.org/visit' }),
          roots: inputRequired.listRoots(),
          model: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }],
            maxTokens: 50,
          }),
        },
      });
    }
    return text(inputResponses);
  });
  server.registerTool('endless', {}, () => inputRequired({ requestState: 'again' }));
  server.registerTool('log', {}, async ({ mcpReq }) => {
    await mcpReq.log('debug', 'a word in passing');
    return text('logged');
  });
  return server;
});
