import { expect, it } from 'vitest';
import { colourCode } from './colour-code.ts';

it.each(['ts', 'Python', 'bash'])('changes no character of %s', async (language) => {
  const code = 'if x == "ä\t": # note\n\n\treturn `1` // 2\n';
  const lines = await colourCode(code, language);
  expect(lines?.map(({ tokens }) => tokens.map(({ text }) => text).join('')).join('\n')).toBe(code);
});

it('gives colours by variables, so that they fit both themes', async () => {
  const lines = await colourCode('const a = "text";', 'ts');
  const colours = lines!.flatMap(({ tokens }) => tokens.map(({ color }) => color));
  expect(colours.length).toBeGreaterThan(2);
  for (const colour of colours) expect(colour).toMatch(/^var\(--code-/);
});

it.each(['', 'nonsense', 'constructor', '__proto__', '"><img src=x>'])(
  'does not know the language %j',
  async (language) => {
    expect(await colourCode('x', language)).toBeNull();
  },
);
