import { expect, it } from 'vitest';
import { type CodeLine, colourCode } from './colour-code.ts';

async function slicesOf(code: string, language: string): Promise<CodeLine[][]> {
  const slices: CodeLine[][] = [];
  await colourCode(code, language, (lines) => slices.push(lines));
  return slices;
}
const textOf = (lines: CodeLine[]) => lines.map(({ tokens }) => tokens.map(({ text }) => text).join('')).join('\n');

it.each(['ts', 'Python', 'bash'])('changes no character of %s', async (language) => {
  const code = 'if x == "ä\t": # note\n\n\treturn `1` // 2\n';
  expect(textOf((await slicesOf(code, language)).flat())).toBe(code);
});

it('gives long code in slices, and what is open at the end of one is open in the next', async () => {
  const code = ['/*', ...Array.from({ length: 70 }, (_, i) => `line ${i}`), '*/', 'const a = 1;'].join('\n');
  const slices = await slicesOf(code, 'ts');
  expect(slices.length).toBeGreaterThan(2);
  const lines = slices.flat();
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i));
  expect(textOf(lines)).toBe(code);
  expect(lines[60]!.tokens.map(({ color }) => color)).toEqual([lines[0]!.tokens[0]!.color]);
});

it('gives colours by variables, so that they fit both themes', async () => {
  const lines = (await slicesOf('const a = "text";', 'ts')).flat();
  const colours = lines.flatMap(({ tokens }) => tokens.map(({ color }) => color));
  expect(colours.length).toBeGreaterThan(2);
  for (const colour of colours) expect(colour).toMatch(/^var\(--code-/);
});

it.each(['', 'nonsense', 'constructor', '__proto__', '"><img src=x>'])(
  'does not know the language %j',
  async (language) => {
    expect(await slicesOf('x', language)).toEqual([]);
  },
);
