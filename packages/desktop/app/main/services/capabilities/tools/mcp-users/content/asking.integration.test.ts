import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makePool, memoryStore, until } from '../__fixtures__/pool.ts';
import { ServerGrants } from '../server-requests/ServerGrants.ts';
import { ServerRequests } from '../server-requests/ServerRequests.ts';
import { McpContent } from './McpContent.ts';

const PROGRAM = fileURLToPath(new URL('__fixtures__/modern-content-server.mjs', import.meta.url));

async function start(limits = {}) {
  const requests = new ServerRequests({
    events: { emit: () => {} },
    clock: Date,
    openModel: () => {
      throw new Error('no model is asked');
    },
    openExternal: async () => true,
  });
  const grants = new ServerGrants({ store: memoryStore(), chooseFolder: async () => undefined, onError: () => {} });
  const { service } = makePool({ person: { requests, grants } });
  const content = new McpContent(service, { emit: () => {} });
  const config = { command: process.execPath, args: [PROGRAM] };
  const { id } = await service.add({ name: 'asker', type: 'stdio', config, limits });
  const asked = async () => {
    await until(() => requests.list().length > 0, 'a question');
    return requests.list()[0]!;
  };
  return { service, content, requests, id, asked };
}

const ADA = { action: 'accept' as const, values: [{ name: 'name', value: 'Ada' }] };

describe('a server of the newer revision that asks before it answers', () => {
  it('gives a resource when the person has answered, however long that takes', async () => {
    const { content, requests, id, asked } = await start({ idleMs: 2000, totalMs: 2000 });
    const read = content.read({ serverId: id, uri: 'note://asks' });
    const { id: request, question } = await asked();
    expect(question).toMatchObject({ kind: 'form', message: 'Who are you?' });
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await requests.answer(request, ADA);
    expect(await read).toMatchObject([{ text: 'Ada, asked' }]);
  });

  it('gives a prompt, and hears it when the person declines', async () => {
    const { content, requests, id, asked } = await start();
    const fill = () => content.prompt({ serverId: id, name: 'asks', values: {} });
    const filled = fill();
    await requests.answer((await asked()).id, ADA);
    expect(await filled).toMatchObject({ text: 'Ada, asked' });
    const declined = fill();
    await requests.answer((await asked()).id, { action: 'decline' });
    expect(await declined).toMatchObject({ text: 'decline, asked' });
  });

  it('is left without an answer when the reading is stopped, and nothing waits for the person then', async () => {
    const { content, requests, id, asked } = await start();
    const stop = new AbortController();
    const read = content.read({ serverId: id, uri: 'note://asks' }, stop.signal);
    await asked();
    stop.abort();
    await expect(read).rejects.toMatchObject({ code: 'cancelled' });
    expect(requests.list()).toEqual([]);
  });
});
