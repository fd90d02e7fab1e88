import { describe, expect, it } from 'vitest';
import { type Area, placeWindow } from './window-place.ts';

const laptop: Area = { x: 0, y: 25, width: 1440, height: 875 };
const screenOnTheLeft: Area = { x: -2560, y: -200, width: 2560, height: 1440 };
const left = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, maximized: false });

describe('placeWindow', () => {
  it.each([
    ['nothing', undefined],
    ['something else', { width: 'wide' }],
    ['a window too small to use', { width: 10, height: 10 }],
    ['half a pixel', { width: 900.5, height: 700 }],
  ])('takes the default size for %s', (_what, stored) =>
    expect(placeWindow(stored, [{ x: 0, y: 0, width: 1920, height: 1080 }])).toEqual({
      width: 1280,
      height: 800,
      maximized: false,
    }),
  );

  it('opens a window where it was left, maximized or not', () => {
    expect(placeWindow(left(120, 80), [laptop])).toEqual(left(120, 80));
    expect(placeWindow({ ...left(120, 80), maximized: true }, [laptop])).toEqual({ ...left(120, 80), maximized: true });
    expect(placeWindow(left(-2000, 300), [laptop, screenOnTheLeft])).toEqual(left(-2000, 300));
    expect(placeWindow(left(-600, 25), [laptop])).toEqual(left(-600, 25));
  });

  it.each([
    ['whose display is gone', left(-2000, 300)],
    ['of which only a sliver is on the display', left(1400, 100)],
    ['whose title bar is above the display', left(100, -400)],
    ['whose title bar is below the display', left(100, 880)],
  ])('lets the system place a window %s, at its size', (_what, stored) =>
    expect(placeWindow(stored, [laptop])).toEqual({ width: 1000, height: 700, maximized: false }),
  );

  it('makes a window of a larger display fit', () => {
    expect(placeWindow(left(-2500, -100, 2400, 1300), [laptop])).toEqual({
      width: 1440,
      height: 875,
      maximized: false,
    });
    expect(placeWindow(left(0, 25, 2400, 1300), [laptop])).toEqual(left(0, 25, 1440, 875));
  });

  it('stands a moment without any display', () => {
    expect(placeWindow(left(120, 80), [])).toEqual({ width: 1000, height: 700, maximized: false });
  });
});
