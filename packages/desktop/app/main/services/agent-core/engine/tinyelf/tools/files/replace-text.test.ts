import { expect, it } from 'vitest';
import { toLf } from './line-ends.ts';
import { replaceText } from './replace-text.ts';

/** Numbers from 0 to below `limit`, the same each time. */
function sequence(seed: number) {
  let state = seed;
  return (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

it('finds the same as on plain line ends, and leaves the rest byte for byte', () => {
  const next = sequence(7);
  const text = (length: number) => Array.from({ length }, () => ['a', 'b', '\n', '\r\n', 'ж'][next(5)]).join('');
  for (let round = 0; round < 5000; round++) {
    const content = text(next(30));
    const old = text(1 + next(3));
    const replacement = text(next(4));
    const { text: result, count, lines } = replaceText(content, old, replacement);
    const parts = toLf(content).split(toLf(old));
    expect([toLf(result), count]).toEqual([toLf(parts.join(toLf(replacement))), parts.length - 1]);
    // What is put back as it was changes nothing but line ends of the replaced part.
    expect(toLf(replaceText(content, old, old).text)).toBe(toLf(content));
    if (count === 0) expect(result).toBe(content);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
  }
});

it('says on which lines it was', () => {
  expect(replaceText('x\r\ny\nx x\n', 'x', 'z')).toEqual({ text: 'z\r\ny\nz z\n', count: 3, lines: [1, 3, 3] });
});

it('names a second place that overlaps the only one that it replaces', () => {
  expect(replaceText('}\r\n}\n}\n', '}\n}\n', '')).toEqual({ text: '}\n', count: 1, lines: [1, 2] });
  expect(replaceText('ababab', 'aba', 'x')).toEqual({ text: 'xbab', count: 1, lines: [1, 1] });
  expect(replaceText('aab', 'ab', 'x')).toEqual({ text: 'ax', count: 1, lines: [1] });
});

it('refuses what is in too many places to be replaced in time', () => {
  expect(() => replaceText('a'.repeat(100_001), 'a', 'b')).toThrow(/more than 100000 times/);
  expect(replaceText('a'.repeat(100_000), 'a', 'b').count).toBe(100_000);
});
