import { describe, expect, it } from 'vitest';
import { makePool, oddServer, stateOf, until } from '../__fixtures__/pool.ts';
import { McpLog } from './McpLog.ts';

describe('the messages of a server', () => {
  it('are in its log while somebody reads it, with secrets hidden, and not otherwise', async () => {
    const { service } = makePool();
    const log = new McpLog({
      logOf: (id) => service.logOf(id),
      times: { longestWaitMs: 50, batchMs: 5, graceMs: 2000 },
    });
    const config = { ...oddServer(), env: { TOKEN: 'sk-secret-value' } };
    const { id } = await service.add({ name: 'odd', type: 'stdio', config });
    await until(() => stateOf(service, id).status === 'ready', 'ready');
    await service.callTool(id, 'echo', { text: 'unseen' }, 'a');
    expect(service.log(id).filter(({ source }) => source === 'message')).toEqual([]);

    await log.read(id);
    await service.callTool(id, 'echo', { text: 'with sk-secret-value in it' }, 'b');
    const messages = service.log(id).filter(({ source }) => source === 'message');
    expect(messages.map(({ message }) => [message?.direction, message?.kind, message?.method])).toEqual([
      ['out', 'request', 'tools/call'],
      ['in', 'response', 'tools/call'],
    ]);
    expect(messages[1]?.message?.ms).toBeGreaterThan(0);
    expect(messages[0]?.text).toContain('"echo"');
    expect(JSON.stringify(messages)).not.toContain('sk-secret-value');

    await until(() => !service.logOf(id).messages.active, 'nobody reads any more');
    await service.callTool(id, 'echo', { text: 'unseen' }, 'c');
    expect(service.log(id).filter(({ source }) => source === 'message')).toHaveLength(2);
  });
});
