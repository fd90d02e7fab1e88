import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** Both colours of each token that is written as `light-dark(#…, #…)`. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);

const grounds = ['surface-0', 'surface-1', 'surface-2', 'surface-3'];
const codeColours = [...tokens.keys()].filter((name) => name.startsWith('code-token-'));

/** Every text and the grounds it stands on. */
const textPairs: [string, string][] = [
  ...grounds.flatMap((ground): [string, string][] => [
    ['text', ground],
    ['muted', ground],
    ['accent-text', ground],
  ]),
  ...['danger', 'warning', 'success'].flatMap((state): [string, string][] => [
    [state, 'surface-1'],
    [state, 'surface-2'],
    [state, `${state}-soft`],
    ['text', `${state}-soft`],
    ['muted', `${state}-soft`],
  ]),
  ['accent-text', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['text', 'raised'],
  ['surface-1', 'text'],
  ['text', 'code-surface'],
  ['muted', 'code-surface'],
  ['danger', 'code-surface'],
  ...codeColours.map((name): [string, string] => [name, 'code-surface']),
];

/** Edges of controls and the focus ring, which need 3 : 1. */
const edgePairs: [string, string][] = [
  ...grounds.slice(0, 3).map((ground): [string, string] => ['accent', ground]),
  ['border-strong', 'surface-1'],
  ['border-strong', 'surface-2'],
];

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  const colour = (name: string): string => tokens.get(name)?.[theme] ?? expect.fail(`no token ${name}`);

  it.each(textPairs)('%s can be read on %s', (text, ground) => {
    expect(contrast(colour(text), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(edgePairs)('%s can be seen on %s', (edge, ground) => {
    expect(contrast(colour(edge), colour(ground))).toBeGreaterThanOrEqual(3);
  });

  it('has neither pure grey nor black nor white', () => {
    for (const [name, colours] of tokens) {
      const hex = colours[theme];
      expect(new Set([hex.slice(1, 3), hex.slice(3, 5), hex.slice(5, 7)]).size, name).toBeGreaterThan(1);
    }
  });
});
