import { describe, expect, it } from 'vitest';
import { quotingOf, splitCommandLine } from './split-command-line.ts';

describe('splitCommandLine', () => {
  it.each([
    ['npx  -y\tpkg', ['npx', '-y', 'pkg']],
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`a "" ''`, ['a', '', '']],
    [`a --x="1 2"'3 4'5`, ['a', '--x=1 23 45']],
    [String.raw`a "\"\\\$\n" '\n'`, ['a', String.raw`"\$\n`, String.raw`\n`]],
    [`a '{"command": "x; y | z"}'`, ['a', '{"command": "x; y | z"}']],
    ['a # the rest', ['a']],
    ['a b#c', ['a', 'b#c']],
    [`a \${HOME}/b $X $env:Y`, ['a', `\${env:HOME}/b`, `\${env:X}`, `\${env:Y}`]],
    [`a "k: $X" '$X' \\$X $ $1`, ['a', `k: \${env:X}`, '$X', '$X', '$', '$1']],
    [`a \${env:X} \${input:y}`, ['a', `\${env:X}`, `\${input:y}`]],
    ['日本 語', ['日本', '語']],
  ])('POSIX: %s', (line, words) => {
    expect(splitCommandLine(line, 'posix')).toEqual(words);
  });

  it.each([
    [
      String.raw`"C:\Program Files\nodejs\node.exe" C:\a\b.js`,
      [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\a\b.js`],
    ],
    [String.raw`a "C:\dir\\" b`, ['a', 'C:\\dir\\', 'b']],
    [String.raw`a "{\"x\": 1}"`, ['a', '{"x": 1}']],
    [`a "say ""hi"""`, ['a', 'say "hi"']],
    [`a '{"x": "y z"}'`, ['a', '{"x": "y z"}']],
    [`a don't`, ['a', "don't"]],
    [`a ""`, ['a', '']],
    [String.raw`a %APPDATA%\b "%X% %" 5%`, ['a', `\${env:APPDATA}\\b`, `\${env:X} %`, '5%']],
  ])('Windows: %s', (line, words) => {
    expect(splitCommandLine(line, 'windows')).toEqual(words);
  });

  it.each(['a; rm -rf /', 'a && b', 'a | b', 'a > f', 'a `b`', 'a $(b)', 'a "$(b)"', 'a "`b`"', '(a)'])(
    'refuses what only a shell does: %s',
    (line) => {
      expect(() => splitCommandLine(line, 'posix')).toThrow('only a shell');
    },
  );

  it.each([
    [`a 'b`, 'posix'],
    [`a "b`, 'posix'],
    [`a "b`, 'windows'],
    [`a 'b`, 'windows'],
  ] as const)('refuses an open quote: %s', (line, quoting) => {
    expect(() => splitCommandLine(line, quoting)).toThrow('never closed');
  });

  it('tells whose rules a line follows', () => {
    expect(quotingOf(String.raw`C:\node\node.exe x`)).toBe('windows');
    expect(quotingOf('cmd.exe /c npx x')).toBe('windows');
    expect(quotingOf(String.raw`node /a/b\ c`)).toBe('posix');
    expect(quotingOf('npx -y pkg --url http://x')).toBe('posix');
  });
});
