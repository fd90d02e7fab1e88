import { describe, expect, it } from 'vitest';
import { expandConfig, hasVariable } from './expand-config.ts';

/** The placeholder for a variable. */
const variable = (name: string) => `$\{env:${name}}`;
const source = { env: { TOKEN: 'abc', NESTED: variable('TOKEN'), EMPTY: '' }, home: '/home/ann' };
const expand = (config: Parameters<typeof expandConfig>[0]) => expandConfig(config, 'notes', source);

describe('expandConfig', () => {
  it('replaces ~ at the beginning only, and only as a folder', () => {
    const { command, args, cwd, env } = expand({
      command: '~/bin/server',
      args: ['~', '~/data', '~ann/data', 'a~/b', '--dir=~/x', '~\\data'],
      cwd: '~',
      env: { DATA: '~/d', OTHER: 'x~' },
    });
    expect(command).toBe('/home/ann/bin/server');
    expect(args).toEqual(['/home/ann', '/home/ann/data', '~ann/data', 'a~/b', '--dir=~/x', '/home/ann\\data']);
    expect(cwd).toBe('/home/ann');
    expect(env).toEqual({ DATA: '/home/ann/d', OTHER: 'x~' });
  });

  it('replaces variables everywhere, as often as they stand there, and none that came out of one', () => {
    expect(
      expand({
        command: variable('TOKEN'),
        args: [`a${variable('TOKEN')}b${variable('TOKEN')}`, variable('NESTED'), `$TOKEN $\{TOKEN}`],
      }),
    ).toMatchObject({ command: 'abc', args: ['aabcbabc', variable('TOKEN'), `$TOKEN $\{TOKEN}`] });
    expect(
      expand({ url: `https://x.example/${variable('TOKEN')}`, headers: { Auth: `Bearer ${variable('TOKEN')}` } }),
    ).toEqual({
      url: 'https://x.example/abc',
      headers: { Auth: 'Bearer abc' },
    });
  });

  it('takes the default where a variable is not set', () => {
    const args = ['GONE:-a b', 'EMPTY:-x:-y', 'GONE:-', 'TOKEN:-x'].map(variable);
    expect(expand({ command: 'x', args }).args).toEqual(['a b', 'x:-y', '', 'abc']);
  });

  it('leaves ~ alone in URLs and headers', () => {
    expect(expand({ url: '~/x', headers: { A: '~/x' } })).toEqual({ url: '~/x', headers: { A: '~/x' } });
  });

  it.each([
    [{ command: 'x', args: ['a', variable('GONE')] }, 'GONE', 'argument 2'],
    [{ command: `~/${variable('GONE')}` }, 'GONE', 'its command'],
    [{ command: 'x', env: { K: variable('EMPTY') } }, 'EMPTY', 'the variable “K”'],
    [{ url: `https://${variable('GONE')}/` }, 'GONE', 'its URL'],
    [{ url: 'https://x.example/', headers: { Auth: variable('') } }, '“”', 'the header “Auth”'],
  ])('names a variable that is not set, and where it stands', (config, name, place) => {
    expect(() => expand(config)).toThrow(
      expect.objectContaining({
        code: 'invalid-config',
        message: expect.stringContaining(name),
        hint: expect.stringContaining(place),
      }),
    );
  });

  it('changes nothing of what it was given', () => {
    const config = { command: '~/x', args: [variable('TOKEN')] };
    expand(config);
    expect(config).toEqual({ command: '~/x', args: [variable('TOKEN')] });
  });
});

it('hasVariable', () => {
  expect([hasVariable(`a ${variable('X')}`), hasVariable(`$\{X}`), hasVariable(`$\{env:X`)]).toEqual([
    true,
    false,
    false,
  ]);
});
