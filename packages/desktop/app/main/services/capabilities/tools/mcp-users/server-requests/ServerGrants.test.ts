import { expect, it } from 'vitest';
import { memoryStore } from '../__fixtures__/pool.ts';
import { ServerGrants } from './ServerGrants.ts';

const make = (store = memoryStore(), folder: string | undefined = '/work here') =>
  new ServerGrants({ store, chooseFolder: async () => folder, onError: () => {} });

it('keeps folders and log level over a restart, and tells of changes', async () => {
  const store = memoryStore();
  const grants = make(store);
  const told: string[] = [];
  grants.events.on('roots', ({ serverId }) => told.push(`roots ${serverId}`));
  grants.events.on('logLevel', ({ level }) => told.push(`level ${level}`));
  await grants.addRoot('a');
  await grants.addRoot('a');
  grants.setLogLevel('a', 'debug');
  expect(told).toEqual(['roots a', 'level debug']);
  expect(make(store).of('a')).toEqual({ roots: ['/work here'], logLevel: 'debug' });
  expect(grants.removeRoot('a', '/work here').roots).toEqual([]);
  expect(grants.of('b')).toEqual({ roots: [], logLevel: null });
});

it('does nothing when the person cancels', async () => {
  const grants = new ServerGrants({ store: memoryStore(), chooseFolder: async () => undefined, onError: () => {} });
  expect(await grants.addRoot('a')).toEqual({ roots: [], logLevel: null });
});

it('forgets servers that are gone, and reads around what is damaged', () => {
  const store = memoryStore({
    version: 1,
    servers: { a: { roots: ['/a'], logLevel: null }, b: 'x', c: { roots: [] } },
  });
  const grants = make(store);
  expect(grants.of('a').roots).toEqual(['/a']);
  expect(grants.of('b').roots).toEqual([]);
  grants.keepOnly(['b']);
  expect(make(store).of('a').roots).toEqual([]);
});

it('keeps what it had when the disk refuses', async () => {
  const store = {
    ...memoryStore(),
    write: () => {
      throw new Error('full');
    },
  };
  const grants = make(store);
  await expect(grants.addRoot('a')).rejects.toThrow('full');
  expect(grants.of('a').roots).toEqual([]);
});
