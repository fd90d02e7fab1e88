import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration } from './duration.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [-5, '0 ms'],
    [34.4, '34 ms'],
    [440, '0.4 s'],
    [9_940, '9.9 s'],
    [12_400, '12 s'],
    [59_600, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('%i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatBytes', () => {
  it.each([
    [512, '512 B'],
    [52_000, '51 KB'],
    [10_300_000, '9.8 MB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
