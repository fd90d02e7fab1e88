import { expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

it('runs tasks of a key in order, goes on after one that failed, and lets other keys pass', async () => {
  const queue = new KeyedQueue();
  const done: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue.run('a', () => gate.then(() => done.push('first')));
  const failing = queue.run('a', async () => {
    done.push('failing');
    throw new Error('no');
  });
  const last = queue.run('a', async () => done.push('last'));
  await queue.run('b', async () => done.push('other'));
  expect(done).toEqual(['other']);
  open();
  await expect(failing).rejects.toThrow('no');
  await Promise.all([first, last]);
  expect(done).toEqual(['other', 'first', 'failing', 'last']);
});
