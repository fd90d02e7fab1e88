import { beforeEach, describe, expect, it } from 'vitest';
import { targetOfKey } from './list-keys.ts';

const titles = ['Tea', 'Train to Ghent', 'Budget', 'Énergie'];
let now = 0;

const press = (key: string, current: number, wait = 5000) => {
  now += wait;
  return targetOfKey({ key, ctrlKey: false, metaKey: false, altKey: false }, titles, current, now);
};

beforeEach(() => {
  now += 1_000_000;
});

describe('targetOfKey', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 3, 3],
    ['ArrowUp', 1, 0],
    ['ArrowUp', 0, 0],
    ['Home', 2, 0],
    ['End', 0, 3],
  ])('%s from %i goes to %i', (key, from, to) => {
    expect(press(key, from)).toBe(to);
  });

  it('goes to the next title that begins with a letter, round the end', () => {
    expect(press('t', 0)).toBe(1);
    expect(press('t', 1)).toBe(0);
    expect(press('é', 0)).toBe(3);
  });

  it('takes letters typed quickly as one word, spaces included', () => {
    expect(press('t', 3)).toBe(0);
    expect(press('r', 0, 100)).toBe(1);
    expect([...'ain to g'].map((letter) => press(letter, 1, 100)).at(-1)).toBe(1);
  });

  it('leaves other keys and shortcuts alone', () => {
    expect(press('Enter', 0)).toBeNull();
    expect(press(' ', 0)).toBeNull();
    expect(press('x', 0)).toBeNull();
    expect(targetOfKey({ key: 't', ctrlKey: true, metaKey: false, altKey: false }, titles, 0, now)).toBeNull();
    expect(targetOfKey({ key: 'End', ctrlKey: false, metaKey: false, altKey: false }, [], 0, now)).toBeNull();
  });
});
