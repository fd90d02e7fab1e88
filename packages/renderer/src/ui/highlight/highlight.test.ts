import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CodeLine } from './colour-code.ts';
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
  answer(...texts: string[]): void {
    for (const text of texts) this.onmessage!({ data: lines(text) });
    this.onmessage!({ data: null });
  }
}

const lines = (text: string): CodeLine[] => [{ number: 0, tokens: [{ text, offset: 0 }] }];
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

/** Asks for `code`; `seen` fills with the slices that come. */
function ask(code: string, signal = never): { seen: CodeLine[][]; done: Promise<void> } {
  const seen: CodeLine[][] = [];
  return { seen, done: highlight(code, 'ts', signal, (slice) => seen.push(slice)) };
}

describe('highlight', () => {
  it('gives the worker one block at a time, and each its own answer', async () => {
    const [first, second] = [ask('a'), ask('b')];
    const worker = FakeWorker.all[0]!;
    expect(worker.requests).toEqual([{ code: 'a', language: 'ts' }]);
    worker.answer('a1', 'a2');
    await first.done;
    expect(first.seen).toEqual([lines('a1'), lines('a2')]);
    worker.answer('b');
    await second.done;
    expect(second.seen).toEqual([lines('b')]);
    expect(FakeWorker.all).toHaveLength(1);
  });

  it('asks once for code that it has seen', async () => {
    const first = ask('a');
    FakeWorker.all[0]!.answer('a1', 'a2');
    await first.done;
    const again = ask('a');
    await vi.runAllTimersAsync();
    await again.done;
    expect(again.seen).toEqual(first.seen);
    expect(FakeWorker.all[0]!.requests).toHaveLength(1);
  });

  it('leaves out what nobody waits for any more', async () => {
    const stop = new AbortController();
    const [first, dropped, third] = [ask('a'), ask('b', stop.signal), ask('c')];
    stop.abort();
    const worker = FakeWorker.all[0]!;
    worker.answer('a');
    worker.answer('c');
    await Promise.all([first.done, dropped.done, third.done]);
    expect([first.seen, dropped.seen, third.seen]).toEqual([[lines('a')], [], [lines('c')]]);
    expect(worker.requests.map(({ code }) => code)).toEqual(['a', 'c']);
  });

  it('hands over nothing more once it is aborted', async () => {
    const stop = new AbortController();
    const { seen, done } = ask('a', stop.signal);
    const worker = FakeWorker.all[0]!;
    worker.onmessage!({ data: lines('a1') });
    stop.abort();
    worker.answer('a2');
    await done;
    expect(seen).toEqual([lines('a1')]);
  });

  it.each([
    ['takes too long', () => vi.advanceTimersByTime(10_000)],
    ['breaks', () => FakeWorker.all[0]!.onerror!()],
  ])('gives up a block whose worker %s, and goes on with a new one', async (_what, happen) => {
    const [first, second] = [ask('a'), ask('b')];
    happen();
    await first.done;
    expect(first.seen).toEqual([]);
    expect(FakeWorker.all[0]!.terminated).toBe(true);
    FakeWorker.all[1]!.answer('b');
    await second.done;
    expect(second.seen).toEqual([lines('b')]);
  });
});
