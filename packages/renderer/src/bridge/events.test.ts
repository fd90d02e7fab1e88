import type { EventBatch } from '@shared/contracts/index.ts';
import { describe, expect, it, vi } from 'vitest';
import { subscribeToEvents } from './events.ts';

function connect() {
  let send: (batch: EventBatch) => void = () => undefined;
  const listener = { onBatch: vi.fn(), onGap: vi.fn() };
  const unsubscribe = vi.fn();
  const end = subscribeToEvents(
    {
      subscribe(callback) {
        send = callback;
        return unsubscribe;
      },
    },
    listener,
  );
  return { listener, end, unsubscribe, send: (seq: number) => send({ seq, events: [] }) };
}

describe('subscribeToEvents', () => {
  it('joins in the middle without calling that a gap', () => {
    const { listener, send } = connect();
    send(41);
    send(42);
    expect(listener.onGap).not.toHaveBeenCalled();
    expect(listener.onBatch).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['one lost batch', [1, 3]],
    ['several lost batches', [1, 2, 9]],
    ['a count that began again', [7, 1]],
    ['the same batch twice', [4, 4]],
  ])('reports %s before the batch after it', (_what, seqs) => {
    const { listener, send } = connect();
    for (const seq of seqs) send(seq);
    expect(listener.onGap).toHaveBeenCalledTimes(1);
    const lastBatch = listener.onBatch.mock.invocationCallOrder.at(-1)!;
    expect(listener.onGap.mock.invocationCallOrder[0]).toBeLessThan(lastBatch);
  });

  it('hands on how to end it', () => {
    const { end, unsubscribe } = connect();
    end();
    expect(unsubscribe).toHaveBeenCalledOnce();
  });
});
