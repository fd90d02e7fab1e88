import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HighlightAnswer, HighlightRequest } from './highlight.ts';

class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: ((event: { data: HighlightAnswer }) => void) | null = null;
  onerror: (() => void) | null = null;
  requests: HighlightRequest[] = [];
  terminated = false;

  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(request: HighlightRequest): void {
    this.requests.push(request);
  }
  terminate(): void {
    this.terminated = true;
  }
}

const lines = (text: string) => [{ number: 0, tokens: [{ text, offset: 0 }] }];
const never = new AbortController().signal;

let highlight: typeof import('./highlight.ts').highlight;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal('Worker', FakeWorker);
  FakeWorker.all = [];
  ({ highlight } = await import('./highlight.ts'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('highlight', () => {
  it('gives the worker one block at a time, and each its own answer', async () => {
    const first = highlight('a', 'ts', never);
    const second = highlight('b', 'ts', never);
    const [worker] = FakeWorker.all;
    expect(worker!.requests).toEqual([{ code: 'a', language: 'ts' }]);
    worker!.onmessage!({ data: lines('a') });
    expect(worker!.requests).toHaveLength(2);
    worker!.onmessage!({ data: lines('b') });
    expect(await first).toEqual(lines('a'));
    expect(await second).toEqual(lines('b'));
  });

  it('asks once for the same code', async () => {
    const both = [highlight('a', 'ts', never), highlight('a', 'ts', never)];
    FakeWorker.all[0]!.onmessage!({ data: lines('a') });
    expect(await Promise.all([...both, highlight('a', 'ts', never)])).toEqual([lines('a'), lines('a'), lines('a')]);
    expect(FakeWorker.all[0]!.requests).toHaveLength(1);
  });

  it('leaves out what nobody waits for any more', async () => {
    const stop = new AbortController();
    const first = highlight('a', 'ts', never);
    const dropped = highlight('b', 'ts', stop.signal);
    const third = highlight('c', 'ts', never);
    stop.abort();
    const [worker] = FakeWorker.all;
    worker!.onmessage!({ data: lines('a') });
    worker!.onmessage!({ data: lines('c') });
    expect(await Promise.all([first, dropped, third])).toEqual([lines('a'), null, lines('c')]);
    expect(worker!.requests.map(({ code }) => code)).toEqual(['a', 'c']);
  });

  it.each([
    ['takes too long', () => vi.advanceTimersByTime(10_000)],
    ['breaks', () => FakeWorker.all[0]!.onerror!()],
  ])('leaves a block plain whose worker %s, and goes on with a new one', async (_what, happen) => {
    const first = highlight('a', 'ts', never);
    const second = highlight('b', 'ts', never);
    happen();
    expect(await first).toBeNull();
    expect(FakeWorker.all[0]!.terminated).toBe(true);
    FakeWorker.all[1]!.onmessage!({ data: lines('b') });
    expect(await second).toEqual(lines('b'));
  });
});
