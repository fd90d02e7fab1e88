import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Machine, makeMachine } from './__fixtures__/machine.ts';

/** A workspace that somebody has prepared, with links to a key under names that are easily misread. */
let machine: Machine;
beforeAll(async () => {
  machine = await makeMachine();
  const { root, home } = machine;
  const key = path.join(home, '.ssh/id_rsa');
  const links: Record<string, string> = {
    '~me/work/k': key,
    '~/work/k': key,
    [`file:${root}/k`]: key,
    'src/zz': key,
    inner: 'src/deep',
    '-': path.join(machine.outside, 'file.txt'),
  };
  for (const [name, target] of Object.entries(links)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await symlink(target, path.join(root, name));
  }
  await mkdir(path.join(root, 'empty'));
  for (const name of ['objects', 'refs']) await mkdir(path.join(root, 'bare/sub', name), { recursive: true });
  for (const name of ['HEAD', 'config']) await writeFile(path.join(root, 'bare/sub', name), '');
  await mkdir(path.join(root, 'odd'));
  execFileSync('bash', ['-c', `ln -s "$1" "$2"/$'\\xff\\xfe'`, 'bash', key, path.join(root, 'odd')]);
});
afterAll(() => machine.remove());

const decide = async (access: Parameters<Machine['firewall']['check']>[0]) =>
  (await machine.firewall.check(access)).decision;
const fill = (text: string) => text.replaceAll('<root>', machine.root);

describe('paths that tools and the firewall could read differently', () => {
  it.each([
    ['~me/work/k', 'deny'],
    ['file://<root>/k', 'deny'],
    // What the app itself has open.
    ['/dev/fd/23', 'deny'],
    ['/dev/stdin', 'deny'],
  ])('%s', async (given, expected) => {
    expect(await decide({ reads: [fill(given)] })).toBe(expected);
    expect(await decide({ writes: [fill(given)] })).toBe('deny');
  });
});

describe('commands that looked harmless', () => {
  it.each([
    // Run what stands in the brackets.
    ["test -v 'a[$(id)]'", 'ask'],
    ["[ -v 'a[$(id)]' ]", 'ask'],
    ["printf -v 'a[$(id)]' x", 'ask'],
    // Changes a variable behind the back of whoever follows them.
    ['x=src; printf -v x %s /etc/passwd; cat $x', 'ask'],
    ['echo x | uniq - .git/config', 'ask'],
    ['echo x | uniq - ../notes.txt', 'deny'],
    // A file of this name, which is a link.
    ['echo x | tee -', 'deny'],
    ['cp src/a.ts -', 'deny'],
    ['cd - && cat notes.txt', 'ask'],
    // Links in folders.
    ['diff -N empty src', 'ask'],
    ['cd src && diff -r ../empty .', 'ask'],
    ['cat inner/../*', 'deny'],
    ['cd inner && cat ../*', 'deny'],
    ['cat odd/*', 'ask'],
    ['cat odd/??', 'ask'],
    // A tilde that the shell takes as a name.
    ["cat '~/work/k'", 'deny'],
    ['cat \\~/work/k', 'deny'],
    ['x="~/work/k"; cat "$x"', 'deny'],
    // Settings of git that nobody was asked about.
    ['git -C bare/sub status', 'ask'],
    ['cd bare/sub/refs && git log', 'ask'],
    // The end of the quotes is elsewhere in another shell.
    ["echo $'\\'; cat .env #'", 'ask'],
  ])('%s', async (command, expected) => {
    expect(await decide({ command })).toBe(expected);
  });

  it.each([
    'cat src/a.ts',
    'cat < /dev/fd/0',
    'git status',
    'git -C src diff',
    'diff src/a.ts .env.example',
    'printf %s x',
  ])('still allowed: %s', async (command) => {
    expect(await decide({ command })).toBe('allow');
  });
});

describe('commands that take long to look at', () => {
  /** On a busy machine. What isn't bounded takes minutes, or for ever. */
  const LIMIT_MS = 15_000;

  it.each([
    ['wildcards against a long name', `cat src/${'*a'.repeat(40)}b`],
    ['many wildcards', `cat ${'* '.repeat(5000)}`],
    ['variables that double', `a=x;${'a=$a$a;'.repeat(2000)}cat $a`],
    ['ever deeper folders', `${'cd a && '.repeat(2400)}ls`],
    ['ever more wrappers', `${'env '.repeat(4900)}ls`],
    ['dots and spaces at the end of names', `cat "a${' .'.repeat(9000)}x"`],
  ])('%s', { timeout: 60_000 }, async (_what, command) => {
    await writeFile(path.join(machine.root, 'src', 'a'.repeat(200)), '');
    const began = performance.now();
    expect(['ask', 'deny']).toContain(await decide({ command: `${command}; cat /etc/shadow` }));
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
  });
});
