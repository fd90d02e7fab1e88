import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../ports/model.ts';
import { fitMessages } from './fit-messages.ts';
import { estimateMessages } from './token-estimate.ts';

const results = (...texts: string[]): ModelMessage[] => [
  {
    role: 'tool',
    results: texts.map((text, index) => ({ callId: `c${index}`, name: 'f', isError: false, text })),
  },
];
const textsOf = ([message]: ModelMessage[]) =>
  message?.role === 'tool' ? message.results.map(({ text }) => text) : [];

describe('fitMessages', () => {
  it('gives what fits as it is', () => {
    const messages = results('short', 'x'.repeat(3000));
    expect(fitMessages(messages, 2000)).toBe(messages);
  });

  it('cuts the longest, keeping beginning and end, until all fit', () => {
    const long = `begin ${'x'.repeat(40_000)} end`;
    const fitted = fitMessages(results('short', long, 'y'.repeat(2000), long), 5000);
    const [short, first, middle, second] = textsOf(fitted);
    expect([short, middle]).toEqual(['short', 'y'.repeat(2000)]);
    expect(first).toMatch(/^begin x+\n\[… \d+ characters left out …\]\nx+ end$/);
    expect(second).toBe(first);
    expect(estimateMessages(fitted)).toBeLessThan(5200);
    expect(estimateMessages(fitted)).toBeGreaterThan(4500);
  });

  it('cuts what a person wrote and sent along, and nothing that a model wrote', () => {
    const text = 'x'.repeat(40_000);
    const [user] = fitMessages([{ role: 'user', text, attached: text }], 1000);
    expect(user).toEqual({
      role: 'user',
      text: expect.stringContaining('left out'),
      attached: expect.stringContaining('left out'),
    });
    const answer: ModelMessage[] = [{ role: 'assistant', content: [{ type: 'text', text }] }];
    expect(fitMessages(answer, 1000)).toEqual(answer);
  });

  it('leaves a note where there is no room at all', () => {
    const [text] = textsOf(fitMessages(results('x'.repeat(4000)), 0));
    expect(text).toBe('\n[… 4000 characters left out …]\n');
  });
});
