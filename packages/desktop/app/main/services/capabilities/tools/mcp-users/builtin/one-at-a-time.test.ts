import { expect, it } from 'vitest';
import { callInTurn } from './one-at-a-time.ts';

it('a call that is given up while it waits for its turn ends at once, and is never made', async () => {
  const first = Promise.withResolvers<string>();
  const running = callInTurn('memory', new AbortController().signal, () => first.promise);
  const giveUp = new AbortController();
  const made: string[] = [];
  const call = (name: string) => async () => void made.push(name);
  const waiting = callInTurn('memory', giveUp.signal, call('given up'));
  const last = callInTurn('memory', new AbortController().signal, call('last'));
  giveUp.abort(new Error('Given up'));
  await expect(waiting).rejects.toThrow('Given up');
  first.resolve('done');
  await Promise.all([running, last]);
  expect(made).toEqual(['last']);
});
