import { describe, expect, it } from 'vitest';
import { type ScrollState, stillSticks } from './stick-to-bottom.ts';

const end: ScrollState = { top: 600, height: 1000, viewport: 400 };

describe('stillSticks', () => {
  it('lets go when the reader moves up', () => {
    expect(stillSticks(true, end, { ...end, top: 500 }, false)).toBe(false);
    expect(stillSticks(true, end, { ...end, top: 500, height: 1300 }, true)).toBe(false);
  });

  it('holds on when content got shorter and then longer than it was', () => {
    expect(stillSticks(true, end, { ...end, top: 500, height: 1300 }, false)).toBe(true);
  });

  it('holds on while text is added below', () => {
    expect(stillSticks(true, end, { ...end, height: 1300 }, true)).toBe(true);
  });

  it('holds on when content shrinks or the window changes its height', () => {
    expect(stillSticks(true, { ...end, top: 900, height: 1300 }, { ...end, top: 500 }, true)).toBe(true);
    expect(stillSticks(true, end, { top: 500, height: 1000, viewport: 300 }, true)).toBe(true);
  });

  it('takes hold again at the end, and only there', () => {
    expect(stillSticks(false, { ...end, top: 300 }, end, true)).toBe(true);
    expect(stillSticks(false, { ...end, top: 300 }, { ...end, top: 400 }, true)).toBe(false);
    expect(stillSticks(false, { ...end, top: 300 }, { ...end, top: 300, height: 2000 }, true)).toBe(false);
  });
});
