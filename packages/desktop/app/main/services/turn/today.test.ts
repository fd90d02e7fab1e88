import { describe, expect, it } from 'vitest';
import { today } from './today.ts';

describe('today', () => {
  it('is the date where the person is, the same all day', () => {
    const noon = (day: number) => new Date(2026, 10, day, 12).getTime();
    expect(today(noon(30))).toMatch(/^Monday,? 30 November 2026$/);
    expect(today(new Date(2026, 10, 30, 23, 59).getTime())).toBe(today(noon(30)));
    expect(today(noon(29))).toMatch(/^Sunday,? 29 November 2026$/);
  });
});
