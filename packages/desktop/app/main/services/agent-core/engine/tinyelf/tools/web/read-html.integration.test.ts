import { describe, expect, it } from 'vitest';
import { readHtml } from './read-html.ts';

/** So deeply nested that parsers take minutes for it, or lose their stack. */
const HOSTILE = '<div>'.repeat(1_000_000);

describe('readHtml', { timeout: 60_000 }, () => {
  it('reads a page in a thread of its own', async () => {
    expect(await readHtml('<title>A</title><h1>B</h1>', 'https://a.b/')).toEqual({ title: 'A', text: '## B' });
  });

  it('gives bare text of what takes too long', async () => {
    expect(await readHtml('<h1>B</h1>', 'https://a.b/', { markdownMs: 0 })).toEqual({ title: '', text: 'B' });
  });

  it('gives up on a hostile page in time, and main goes on meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    await expect(readHtml(HOSTILE, 'https://a.b/', { markdownMs: 500, plainMs: 500 })).rejects.toThrow(
      /too complicated/,
    );
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
  });

  it.each([
    ['openings', '<'.repeat(5_000_000)],
    ['elements', '<b>x'.repeat(300_000)],
    ['tables', '<table><tr><td>'.repeat(50_000)],
  ])('a page of nothing but %s ends in a text or an error, never the app', async (_what, html) => {
    const text = await readHtml(html, 'https://a.b/').catch((error: Error) => error.message);
    expect(typeof text === 'string' ? text : typeof text.text).toMatch(/^string$|^The page/);
  });

  it('ends when the run is stopped', async () => {
    const stop = new AbortController();
    const reading = readHtml(HOSTILE, 'https://a.b/', { signal: stop.signal });
    stop.abort(new Error('stopped by a test'));
    await expect(reading).rejects.toThrow('stopped by a test');
  });
});
