import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StreamPart } from '../../ports/model.ts';
import { StreamedFailure } from './failures.ts';
import { runMachine, type StreamMachine } from './run-machine.ts';

/** Says each chunk as text; complete with `end`. */
class Echo implements StreamMachine<string> {
  isComplete = false;
  push(text: string): StreamPart[] {
    this.isComplete ||= text === 'end';
    return [{ type: 'text-delta', text }];
  }
  end(): StreamPart[] {
    if (!this.isComplete) throw new Error('not complete');
    return [{ type: 'finish', reason: 'stop' }];
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function read(...chunks: (string | Error | Promise<never>)[]): Promise<string> {
  let closed = false;
  async function* source() {
    try {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        yield await chunk;
      }
    } finally {
      closed = true;
    }
  }
  const parts: string[] = [];
  for await (const part of runMachine(source(), new Echo()))
    parts.push(part.type === 'text-delta' ? part.text : part.type);
  return `${parts.join(' ')}${closed ? '' : ', left open'}`;
}
const never = new Promise<never>(() => {});

test('what comes after the answer counts', async () => {
  expect(await read('a', 'end', 'usage')).toBe('a end usage finish');
});

test('a connection that stays open after the answer does not hold it up', async () => {
  const reading = read('a', 'end', never);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(await Promise.race([reading, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reading).toBe('a end finish, left open');
});

test('an answer itself may take its time', async () => {
  let done = false;
  void read('a', never).then(() => {
    done = true;
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(done).toBe(false);
});

test('a connection that fails after the answer does not spoil it; an error that is reported does', async () => {
  expect(await read('end', new Error('reset'))).toBe('end finish');
  await expect(read('end', new StreamedFailure('h', {}))).rejects.toThrow('reported an error');
  await expect(read('a', new Error('reset'))).rejects.toThrow('reset');
});
