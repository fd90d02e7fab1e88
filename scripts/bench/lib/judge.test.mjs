import { describe, expect, it } from 'vitest';
import { judge } from './judge.mjs';
import { quantile } from './statistics.mjs';

const bar = { title: 'time', unit: 'ms', limit: 10 };
const verdict = (app, more) => judge({ ...bar, ...more }, { app }).verdict;

describe('judge', () => {
  it.each([
    ['all rounds within the limit', [8, 9, 10], 'met'],
    ['a few rounds above it', [8, 9, 9, 30, 50], 'met'],
    ['the median above it, by less than the spread', [9, 9, 11, 12, 13], 'unclear'],
    ['three rounds of four above it', [9, 10.1, 10.1, 10.1, 10.1], 'missed'],
    ['one round, above it', [10.1], 'missed'],
  ])('%s', (_what, values, expected) => {
    expect(verdict(values)).toBe(expected);
  });

  it('compares with the raw SDK of the same round, not with its median', () => {
    const app = [10, 20, 40];
    const raw = [10, 20, 40];
    expect(judge({ ...bar, limit: 1, compared: true }, { app, raw })).toMatchObject({
      median: 1,
      max: 1,
      verdict: 'met',
    });
    expect(judge({ ...bar, limit: 1, compared: true }, { app, raw: [5, 10, 20] })).toMatchObject({ verdict: 'missed' });
  });

  it('takes one bad round for a miss where the count must always hold', () => {
    expect(verdict([0, 0, 0, 0, 1], { limit: 0, exact: true })).toBe('missed');
    expect(verdict([0, 0, 0, 0, 0], { limit: 0, exact: true })).toBe('met');
  });
});

it('judges nothing where there is no limit', () => {
  expect(verdict([1000], { limit: undefined })).toBe('shown');
});

describe('quantile', () => {
  it('interpolates between neighbours', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
    expect(quantile([7], 0.25)).toBe(7);
  });
});
