import { describe, expect, it } from 'vitest';
import { ServerLog } from './server-log.ts';

const makeLog = () => new ServerLog({ now: () => 7 });

describe('the log of a server', () => {
  it('keeps the newest entries, numbered without gaps', () => {
    const log = makeLog();
    for (let n = 1; n <= 50_000; n += 1) log.add('stderr', 'info', `line ${n}`);
    const entries = log.entries();
    expect(entries.length).toBeLessThanOrEqual(1000);
    expect(entries.at(-1)).toEqual({ number: 50_000, at: 7, source: 'stderr', level: 'info', text: 'line 50000' });
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => 50_001 - entries.length + index));
    expect(log.entries(49_998).map(({ text }) => text)).toEqual(['line 49999', 'line 50000']);
    expect(log.entries(50_000)).toEqual([]);
    expect(log.entries(60_000)).toEqual([]);
  });

  it('keeps few of many long entries, cut', () => {
    const log = makeLog();
    const long = 'x'.repeat(100_000);
    for (let n = 0; n < 3000; n += 1) log.add('stdout', 'info', long);
    const texts = log.entries().map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.join('').length).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('hides the secrets of the time at which an entry came', () => {
    const log = makeLog();
    log.redact = (text) => text.replaceAll('old-secret', '•••');
    log.add('stderr', 'info', 'with old-secret');
    log.redact = (text) => text.replaceAll('new-secret', '•••');
    log.add('stderr', 'info', 'with new-secret');
    expect(log.entries().map(({ text }) => text)).toEqual(['with •••', 'with •••']);
  });

  it('hides secrets before it cuts', () => {
    const log = makeLog();
    const secret = 's'.repeat(50);
    log.redact = (text) => text.replaceAll(secret, '•••');
    log.add('stderr', 'info', `${'a'.repeat(4096 - 10)}${secret}`);
    // So many that the text gets short, and its end is half a secret.
    log.add('stderr', 'info', secret.concat(' ').repeat(1000));
    for (const { text } of log.entries()) expect(text).not.toContain('ss');
  });

  it('can be cleared and counts on', async () => {
    const log = makeLog();
    log.add('stderr', 'info', 'one');
    log.clear();
    expect([log.entries(), log.latest]).toEqual([[], 1]);
    const grown = log.grown(60_000);
    log.add('stderr', 'info', 'two');
    await grown;
    expect(log.entries(1).map(({ number, text }) => [number, text])).toEqual([[2, 'two']]);
    await log.grown(5);
  });
});
