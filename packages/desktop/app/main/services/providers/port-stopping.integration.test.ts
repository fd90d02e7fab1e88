import { describe, expect, test } from 'vitest';
import { FORMATS, MODELS } from '../../../../../../e2e/fixtures/model-servers/index.ts';
import type { StreamPart } from '../ports/model.ts';
import { collect, start } from './__fixtures__/port.ts';

describe.each(FORMATS)('%s', (format) => {
  const modelId = MODELS[format];

  test.each(['while it streams', 'while nothing comes', 'before the headers'])('stops at once %s', async (when) => {
    const { port, server } = await start(
      format,
      [
        when === 'while it streams'
          ? [{ text: 'x'.repeat(6000) }]
          : [{ text: 'begin ' }, { delay: 60_000 }, { text: 'end' }],
      ],
      { delayMs: when === 'while it streams' ? 5 : 0 },
      when === 'before the headers' ? { fetch: neverAnswers } : {},
    );
    const stop = new AbortController();
    const reason = new Error('stopped by the person');
    const parts: StreamPart[] = [];
    const running = (async () => {
      for await (const part of port.stream({ modelId, messages: [{ role: 'user', text: 'x' }], signal: stop.signal })) {
        parts.push(part);
        if (parts.length === 1) setTimeout(() => stop.abort(reason), 50);
      }
    })();
    if (when === 'before the headers') setTimeout(() => stop.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    const seen = parts.length;
    expect(parts.some((part) => part.type === 'finish')).toBe(false);
    if (when !== 'before the headers')
      await expect.poll(() => server.journal[0]?.aborted, { timeout: 10_000 }).toBe(true);
    expect(parts).toHaveLength(seen);
  });

  test('a reader that leaves ends the request', async () => {
    const { port, server } = await start(format, [[{ text: 'begin ' }, { delay: 60_000 }]]);
    for await (const part of port.stream({
      modelId,
      messages: [{ role: 'user', text: 'x' }],
      signal: new AbortController().signal,
    })) {
      if (part.type === 'text-delta') break;
    }
    await expect.poll(() => server.journal[0]?.aborted, { timeout: 10_000 }).toBe(true);
  });

  test('a signal that is aborted already sends nothing', async () => {
    const { port, server } = await start(format, []);
    const reason = new Error('too late');
    await expect(collect(port, { modelId, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.journal).toEqual([]);
  });
});

/** Waits until it is aborted, as fetch does for a server that is silent. */
const neverAnswers: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
