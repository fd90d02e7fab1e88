import type { McpLogEntry, McpMessageFacts } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, formatBytes, formatMs, laidOut, linesOf, textOf } from './log-lines.ts';

let last = 0;
const entry = (values: Partial<McpLogEntry>): McpLogEntry => {
  last += 1;
  return { number: last, at: 0, source: 'stderr', level: 'info', text: '', ...values };
};
const message = (values: Partial<McpMessageFacts> = {}): McpLogEntry =>
  entry({
    source: 'message',
    level: 'debug',
    text: '{"a":1}',
    message: { direction: 'out', kind: 'request', method: 'tools/call', id: '5', bytes: 1500, ...values },
  });

describe('the lines of a log', () => {
  it('are narrowed by source, level and text, case aside', () => {
    const all = [
      entry({ text: 'Loud', level: 'error' }),
      entry({ text: 'noise', source: 'stdout', level: 'warning' }),
      message(),
      entry({ text: 'Connected', source: 'lifecycle' }),
    ];
    const kept = (filter: Partial<typeof EVERYTHING>) =>
      linesOf(all, { ...EVERYTHING, ...filter }).map(({ entry: { number } }) =>
        all.findIndex((e) => e.number === number),
      );
    expect(kept({})).toEqual([0, 1, 2, 3]);
    expect(kept({ source: 'output' })).toEqual([0, 1]);
    expect(kept({ source: 'message' })).toEqual([2]);
    expect(kept({ level: 'info' })).toEqual([0, 1, 3]);
    expect(kept({ level: 'warning' })).toEqual([0, 1]);
    expect(kept({ text: ' LOUD ' })).toEqual([0]);
    expect(kept({ text: 'tools/CALL' })).toEqual([2]);
    expect(kept({ text: '#5' })).toEqual([2]);
    expect(kept({ text: '"a":1', source: 'output' })).toEqual([]);
  });

  it('say how many entries are missing, whatever the filter, but nothing of those before the first', () => {
    const lines = linesOf([entry({ number: 10 }), entry({ number: 11 }), entry({ number: 15 })], {
      ...EVERYTHING,
      source: 'message',
    });
    expect(lines.map(({ missing }) => missing)).toEqual([3]);
  });

  it('are copied with their time, and messages with all that is known of them', () => {
    expect(textOf(entry({ text: 'a line', at: 2 }))).toBe('1970-01-01T00:00:00.002Z stderr info a line');
    expect(textOf(message({ direction: 'in', kind: 'response', ms: 12.4 }))).toBe(
      '1970-01-01T00:00:00.000Z message debug ← response tools/call #5 1.5 kB 12 ms {"a":1}',
    );
  });

  it('lay JSON out, and leave what was cut as it is', () => {
    expect(laidOut('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(laidOut('{"a":')).toBe('{"a":');
  });

  it('give sizes and times short', () => {
    expect([999, 1000, 1_500_000].map(formatBytes)).toEqual(['999 B', '1.0 kB', '1.5 MB']);
    expect([0.4, 999, 1500].map(formatMs)).toEqual(['0 ms', '999 ms', '1.5 s']);
  });
});
