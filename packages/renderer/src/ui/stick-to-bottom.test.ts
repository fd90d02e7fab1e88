import { describe, expect, it } from 'vitest';
import { type ScrollState, stillSticks } from './stick-to-bottom.ts';

const end: ScrollState = { top: 600, height: 1000, viewport: 400 };

describe('stillSticks', () => {
  it('lets go when the reader moves up', () => {
    expect(stillSticks(true, end, { ...end, top: 500 })).toBe(false);
  });

  it('holds on while text is added below', () => {
    expect(stillSticks(true, end, { ...end, height: 1300 })).toBe(true);
  });

  it('holds on when content shrinks or the window changes its height', () => {
    expect(stillSticks(true, { ...end, top: 900, height: 1300 }, { ...end, top: 500 })).toBe(true);
    expect(stillSticks(true, end, { top: 500, height: 1000, viewport: 300 })).toBe(true);
  });

  it('takes hold again at the end, and only there', () => {
    expect(stillSticks(false, { ...end, top: 300 }, end)).toBe(true);
    expect(stillSticks(false, { ...end, top: 300 }, { ...end, top: 400 })).toBe(false);
    expect(stillSticks(false, { ...end, top: 300 }, { ...end, top: 300, height: 2000 })).toBe(false);
  });
});
