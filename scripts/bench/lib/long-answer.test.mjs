import { describe, expect, it } from 'vitest';
import { firstMissing, longAnswer } from './long-answer.mjs';

describe('longAnswer', () => {
  it.each([6000, 30_000])('has exactly the length that was asked for: %d', (length) => {
    const { markdown } = longAnswer(length);
    expect([...markdown]).toHaveLength(length);
    expect(markdown).toMatch(/^```ts\n[\s\S]*^```$/m);
    expect(markdown).toMatch(/^\| --- \| ---: \|/m);
    expect(markdown).toMatch(/^ {2}- nested/m);
  });
});

describe('firstMissing', () => {
  const visible = ['one two', 'three', 'four'];

  it('finds everything, wherever lines break', () => {
    expect(firstMissing(visible, 'one\ntwo and three, four.')).toBeUndefined();
  });

  it.each([
    ['lost', 'one two four', 'three'],
    ['at the wrong place', 'three one two four', 'three'],
  ])('names what is %s', (_what, text, missing) => {
    expect(firstMissing(visible, text)).toBe(missing);
  });
});
