import type { AppEvent, EventBatch } from '@shared/contracts/index.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventHub, FRAME_MS } from './event-hub.ts';

const delta = (text: string, partIndex = 0, messageId = 'm'): AppEvent => ({
  type: 'completion.delta',
  payload: { conversationId: 'c', messageId, partIndex, partType: 'text', text },
});
const started: AppEvent = { type: 'completion.turnStarted', payload: { conversationId: 'c' } };

describe('EventHub', () => {
  let batches: EventBatch[];
  let hub: EventHub;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    batches = [];
    hub = new EventHub((batch) => batches.push(batch));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows every event to who watches, before it is sent', () => {
    const seen: AppEvent[] = [];
    hub.emit(delta('early'));
    hub.watch((event) => seen.push(event));
    hub.emit(delta('a'));
    hub.emit(delta('b'));
    expect(seen).toEqual([delta('a'), delta('b')]);
  });

  it('sends at most one batch a frame, numbered without gaps', () => {
    for (let ms = 0; ms < 160; ms += 1) {
      hub.emit(delta(`${ms};`));
      vi.advanceTimersByTime(1);
    }
    vi.advanceTimersByTime(FRAME_MS);
    expect(batches.length).toBeLessThanOrEqual(160 / FRAME_MS + 2);
    expect(batches.map(({ seq }) => seq)).toEqual(batches.map((_, index) => index + 1));
  });

  it('sends the first event after a quiet time without waiting a frame', () => {
    hub.emit(started);
    vi.advanceTimersByTime(1);
    expect(batches).toHaveLength(1);
  });

  it('joins deltas of one part and loses none', () => {
    for (let i = 0; i < 5000; i += 1) hub.emit(delta('a'));
    vi.advanceTimersByTime(FRAME_MS);
    expect(batches).toHaveLength(1);
    expect(batches[0]!.events).toEqual([delta('a'.repeat(5000))]);
  });

  it('keeps the order where other parts, messages or events come between', () => {
    const events = [delta('a'), delta('b', 1), delta('c'), started, delta('d'), delta('e', 0, 'n')];
    for (const event of events) hub.emit(event);
    vi.advanceTimersByTime(FRAME_MS);
    expect(batches[0]!.events).toEqual(events);
  });

  it('does not change the event that it was given', () => {
    const first = delta('a');
    hub.emit(first);
    hub.emit(delta('b'));
    expect(first).toEqual(delta('a'));
  });

  it('takes a snapshot between two batches: what came before is in it, what comes after is in a later batch', async () => {
    let text = '';
    const write = (piece: string) => {
      text += piece;
      hub.emit(delta(piece));
    };
    write('one ');
    const snapshot = hub.snapshot((seq) => ({ seq, text }));
    write('two ');
    vi.advanceTimersByTime(FRAME_MS);
    write('three');
    vi.advanceTimersByTime(FRAME_MS);

    const seen = await snapshot;
    const after = batches.filter(({ seq }) => seq > seen.seq).flatMap(({ events }) => events);
    const rest = after.map((event) => (event.type === 'completion.delta' ? event.payload.text : '')).join('');
    expect(seen.text + rest).toBe('one two three');
  });

  it('takes a snapshot at once when nothing is pending', async () => {
    expect(await hub.snapshot((seq) => seq)).toBe(0);
  });

  it('passes on what the reader throws', async () => {
    await expect(
      hub.snapshot(() => {
        throw new Error('gone');
      }),
    ).rejects.toThrow('gone');
  });
});
