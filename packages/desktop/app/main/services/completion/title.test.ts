import { describe, expect, it } from 'vitest';
import { titleFrom } from './title.ts';

describe('titleFrom', () => {
  it.each([
    ['Hello there', 'Hello there'],
    ['  \n\n  What is MCP?\nAnd why?', 'What is MCP?'],
    ['# Plan\nfirst', 'Plan'],
    ['> - quoted item', 'quoted item'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['---\nafter a line', 'after a line'],
    ['a\tb\u0000c \u202Ereversed', 'a b c reversed'],
    ['1 + 1', '1 + 1'],
    ['👋', '👋'],
    ['', ''],
    [' \n ', ''],
    ['...', ''],
  ])('makes %j to %j', (text, title) => {
    expect(titleFrom(text)).toBe(title);
  });

  it('cuts at the end of a word', () => {
    const title = titleFrom('Please summarise the minutes of the meeting on Tuesday, and send them to everybody');
    expect(title).toBe('Please summarise the minutes of the meeting on Tuesday, and…');
  });

  it('keeps sixty characters whole', () => {
    const exact = `${'word '.repeat(11)}words`;
    expect(exact).toHaveLength(60);
    expect(titleFrom(exact)).toBe(exact);
  });

  it.each([
    ['no spaces', 'x'.repeat(500)],
    ['Chinese', '今天天气很好我们去公园散步吧'.repeat(20)],
    ['families', '👨‍👩‍👧‍👦'.repeat(50)],
    ['flags', '🇳🇴'.repeat(100)],
    ['accents apart', 'e\u0301'.repeat(200)],
    ['one endless character', `a${'\u0301'.repeat(5_000)}`],
    ['a long first word', `${'y'.repeat(70)} and more`],
  ])('never cuts through a character: %s', (_what, text) => {
    const title = titleFrom(text);
    expect(title.length).toBeLessThanOrEqual(60);
    expect(title.isWellFormed()).toBe(true);
    const segments = (value: string) => [...new Intl.Segmenter().segment(value)].map(({ segment }) => segment);
    const cut = segments(title.replace(/…$/, ''));
    expect(cut).toEqual(segments(text).slice(0, cut.length));
  });
});
