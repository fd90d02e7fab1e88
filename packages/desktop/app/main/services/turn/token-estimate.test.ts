import { describe, expect, it } from 'vitest';
import { estimateMessages, estimateTokens, estimateTools } from './token-estimate.ts';

describe('estimateTokens', () => {
  // Models cut common words of Latin and other alphabets into one or two tokens, ideographs and emoji each into one or two.
  it.each([
    ['The quick brown fox jumps over the lazy dog.', 9],
    ['Съешь ещё этих мягких булок', 5],
    ['今日はとても良い天気です', 12],
    ['😀😀😀😀', 4],
  ])('counts one to three tokens for each word, ideograph and emoji of %s', (text, pieces) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(pieces);
    expect(estimateTokens(text)).toBeLessThanOrEqual(pieces * 3);
  });

  it('says nothing of nothing, and looks at a sample of a long text', () => {
    expect(estimateTokens('')).toBe(0);
    const mixed = 'a私'.repeat(500_000);
    expect(estimateTokens(mixed) / estimateTokens('a私'.repeat(1000))).toBeGreaterThan(490);
    expect(estimateTokens(mixed) / estimateTokens('a私'.repeat(1000))).toBeLessThan(510);
  });

  it('counts all that a message holds', () => {
    const image = { data: 'x'.repeat(1_000_000), mimeType: 'image/png' };
    const user = { role: 'user' as const, text: 'Look' };
    const plain = estimateMessages([user]);
    const withImage = estimateMessages([{ ...user, images: [image] }]);
    expect(withImage - plain).toBeGreaterThan(500);
    expect(withImage - plain).toBeLessThan(5000);
    expect(estimateMessages([{ ...user, attached: 'x'.repeat(4000) }]) - plain).toBeGreaterThan(900);
    const call = { type: 'tool-call' as const, callId: 'c', name: 'f', args: { text: 'x'.repeat(4000) } };
    expect(estimateMessages([{ role: 'assistant', content: [call] }])).toBeGreaterThan(900);
    const result = { callId: 'c', name: 'f', isError: false, text: 'x'.repeat(4000), images: [image] };
    expect(estimateMessages([{ role: 'tool', results: [result] }])).toBeGreaterThan(1400);
  });

  it('counts tools of every format', () => {
    const description = 'x'.repeat(4000);
    const schema = { type: 'object' as const, properties: {}, required: [] };
    const declaration = { name: 'f', description, parameters: schema };
    expect(estimateTools(undefined)).toBe(0);
    for (const tools of [
      [{ type: 'function' as const, function: declaration }],
      [{ name: 'f', description, input_schema: schema }],
      [{ functionDeclarations: [declaration, { ...declaration }] }],
    ]) {
      const count = 'functionDeclarations' in tools[0]! ? 2 : 1;
      expect(estimateTools(tools)).toBeGreaterThan(1000 * count);
      expect(estimateTools(tools)).toBeLessThan(1400 * count);
    }
  });
});
