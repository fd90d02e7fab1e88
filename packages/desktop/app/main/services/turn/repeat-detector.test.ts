import { describe, expect, it } from 'vitest';
import { RepeatDetector, type RoundCall } from './repeat-detector.ts';

const call = (name: string, args: unknown = {}, result: unknown = 'same'): RoundCall => ({ name, args, result });

/** The number of the round at which repeating is noticed, or undefined within the given rounds. */
function noticedAt(rounds: RoundCall[][]): number | undefined {
  const detector = new RepeatDetector();
  const index = rounds.findIndex((calls) => detector.add(calls));
  return index < 0 ? undefined : index + 1;
}
const cycle = (names: string[], rounds: number) =>
  Array.from({ length: rounds }, (_, index) => [call(names[index % names.length]!)]);

describe('RepeatDetector', () => {
  it.each([
    [['A'], 3],
    [['A', 'B'], 6],
    [['A', 'B', 'C'], 9],
    [['A', 'B', 'C', 'D'], 12],
  ])('notices the cycle %j when it has come three times', (names, round) => {
    expect(noticedAt(cycle(names, 25))).toBe(round);
  });

  it('lets longer cycles go on to the limit of rounds', () => {
    expect(noticedAt(cycle(['A', 'B', 'C', 'D', 'E'], 25))).toBeUndefined();
  });

  it('does not stop a poll whose result changes', () => {
    expect(noticedAt(Array.from({ length: 25 }, (_, index) => [call('poll', {}, `${index} %`)]))).toBeUndefined();
  });

  it('does not stop calls with other arguments', () => {
    expect(noticedAt(Array.from({ length: 25 }, (_, page) => [call('list', { page })]))).toBeUndefined();
  });

  it('notices a cycle that begins late', () => {
    expect(noticedAt([[call('X')], [call('Y')], ...cycle(['A', 'B'], 10)])).toBe(8);
  });

  it('starts counting again after something else', () => {
    expect(noticedAt([[call('A')], [call('A')], [call('B')], [call('A')], [call('A')], [call('C')]])).toBeUndefined();
  });

  it('takes parallel calls in another order, and keys in another order, for the same', () => {
    const rounds = [
      [call('A', { x: 1, y: 2 }), call('B')],
      [call('B'), call('A', { y: 2, x: 1 })],
      [call('A', { x: 1, y: 2 }), call('B')],
    ];
    expect(noticedAt(rounds)).toBe(3);
  });
});
