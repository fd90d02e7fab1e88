import { describe, expect, it } from 'vitest';
import { parsePs, parseStat } from './process-table.ts';

describe('parseStat', () => {
  const stat = (name: string, state = 'S') =>
    `4242 (${name}) ${state} 17 4242 4242 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 12345 678 1844 1 1`;

  it('reads pid, parent, group and start time, whatever the name is', () => {
    for (const name of ['node', 'a b', 'x) S 1 2 3', '((']) {
      expect(parseStat(stat(name))).toEqual({ pid: 4242, parent: 17, group: 4242, startTime: '987654' });
    }
  });

  it('leaves out what has ended, and what it can’t read', () => {
    expect(parseStat(stat('node', 'Z'))).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
    expect(parseStat('nonsense')).toBeUndefined();
  });
});

describe('parsePs', () => {
  it('reads the lines of ps on macOS', () => {
    const output =
      '    1     0     1 Ss   Sun Nov 29 10:00:00 2026\n  512     1   512 Z    Sun Nov 29 10:00:01 2026\n  600   512   512 R+   Sun Nov  1 10:00:02 2026\n';
    expect(parsePs(output)).toEqual([
      { pid: 1, parent: 0, group: 1, startTime: 'Sun Nov 29 10:00:00 2026' },
      { pid: 600, parent: 512, group: 512, startTime: 'Sun Nov 1 10:00:02 2026' },
    ]);
  });
});
