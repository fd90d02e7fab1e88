import { describe, expect, it } from 'vitest';
import { countLost, fingerprint } from './answers.mjs';
import { problemsOf, report } from './report.mjs';

const good = { fault: 'noise', given: 3, lost: 0, unknown: 0, closeMs: 50, processes: [], handles: [] };

describe('an outcome', () => {
  it('passes when nothing is lost and nothing is left', () => {
    expect(problemsOf(good)).toEqual([]);
    expect(report([good])).toContain('| noise | 3 | 0 | – | 50 ms | 0 | 0 | pass |');
  });

  it.each([
    ['an answer is lost', { lost: 1 }, '1 answers lost'],
    ['an answer came from nowhere', { unknown: 1 }, 'no server gave'],
    ['a process is left', { processes: ['7 node server.mjs'] }, '7 node server.mjs'],
    ['a timer is left', { handles: ['1 Timeout'] }, '1 Timeout'],
    ['closing took too long', { closeMs: 11_000 }, 'closing took 11 s'],
    ['it ended otherwise than it should', { problem: 'expected: call-lost' }, 'expected: call-lost'],
    ['its process said nothing', { given: undefined, lost: undefined, problem: 'no result' }, 'no result'],
  ])('fails when %s', (_what, change, words) => {
    const outcome = { ...good, ...change };
    expect(problemsOf(outcome)).toEqual([expect.stringContaining(words)]);
    expect(report([outcome])).toContain('**fail**');
    expect(report([outcome])).toContain(`- noise: `);
  });
});

describe('the account of answers', () => {
  it.each([
    [['a', 'b'], ['b', 'a'], 0],
    [['a', 'b'], ['a'], 1],
    [['a', 'a'], ['a'], 1],
    [['a'], ['b'], 1],
    [[], ['a'], 0],
  ])('%j given, %j received: %i lost', (given, received, lost) => {
    expect(countLost(given, received)).toBe(lost);
  });

  it('tells an answer from one that was changed on its way', () => {
    const of = (text) => fingerprint([{ type: 'text', text }]);
    expect(of('smørrebrød')).toBe(of('smørrebrød'));
    expect(of('smørrebrød')).not.toBe(of('sm\uFFFDrrebr\uFFFDd'));
  });
});
