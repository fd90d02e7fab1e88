import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInside } from '../workspace.ts';
import { type Machine, makeMachine } from './__fixtures__/machine.ts';

const run = promisify(execFile);

let machine: Machine;
beforeAll(async () => {
  machine = await makeMachine();
});
afterAll(() => machine.remove());

/** Everything on the machine outside the workspace, as one text. */
async function outside({ top, root }: Machine): Promise<string> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  const lines = entries
    .map((entry) => ({ entry, full: path.join(entry.parentPath, entry.name) }))
    .filter(({ full }) => !isInside(root, full))
    .map(async ({ entry, full }) => {
      if (entry.isFile()) return `${full}: ${await readFile(full, 'utf8')}`;
      return entry.isSymbolicLink() ? `${full} -> ${await readlink(full)}` : full;
    });
  return (await Promise.all(lines)).sort().join('\n');
}

const names = fc.constantFrom(
  ...[
    '..',
    '.',
    'src',
    'deep',
    'a.ts',
    'up',
    'updir',
    'near',
    'dangling',
    'dir',
    'file.txt',
    'new',
    '',
    'work',
    'home',
  ],
);
const starts = fc.constantFrom(...['', '', '', '/', '~/', './', '<out>/', '<home>/', '<root>/', '<top>/']);
const paths = fc
  .tuple(starts, fc.array(names, { minLength: 1, maxLength: 5 }))
  .map(([start, segments]) => start + segments.join('/'));

const spelled = fc
  .tuple(paths, fc.constantFrom('plain', 'percent', 'twice', 'url', 'wide', 'back'))
  .map(([one, way]) => {
    if (way === 'percent') return one.replaceAll('.', '%2e').replaceAll('/', '%2F');
    if (way === 'twice') return one.replaceAll('.', '%252e');
    if (way === 'url') return one.startsWith('/') || one.startsWith('<') ? `file://${one}` : one;
    if (way === 'wide') return one.replaceAll('.', '．').replaceAll('/', '／');
    return way === 'back' ? one.replaceAll('/', '\\') : one;
  });

const quotings = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => (text.startsWith('~') ? text : `"${text}"`),
  (text) => (text.startsWith('~') ? text : `'${text}'`),
  (text) => text.replace('..', ".''."),
  (text) => text.replace('..', '.\\.'),
  (text) => text.replace('u', '?'),
  (text) => text.replace(/[a-z]+/, '*'),
  (text) => text.replace('src', '{src,up}'),
  (text) => text.replace(/^~/, '$HOME'),
  (text) => (/^[~/<]/.test(text) ? text : `$PWD/${text}`),
  (text) => (/^[~/<]/.test(text) ? text : `$V/${text}`),
);
const shellPaths = fc.tuple(paths, quotings).map(([one, quoting]) => quoting(one));
const simple = fc
  .tuple(
    fc.constantFrom(
      ...[
        'touch A',
        'echo x > A',
        'echo x >> A',
        'mkdir -p A',
        'rm -rf A',
        'cp src/a.ts A',
        'mv A B',
        'cp -r A B',
        'rmdir A',
      ],
      ...[
        'echo x | tee A',
        'cat < B > A',
        'cd A',
        'cd A',
        'cd A',
        'cd -- A',
        'V=B',
        'V=..',
        'ls A',
        'ln -s A B',
        'chmod 700 A',
      ],
      ...[
        'uniq src/a.ts A',
        'sort -oA src/a.ts',
        'dd of=A',
        'truncate -s 0 A',
        'cat > A <<X\nhi\nX\n:',
        'install src/a.ts A',
      ],
      ...[
        '(cd A; touch B)',
        '{ cd A; }',
        'cp src/a.ts A -S B',
        'export V=A',
        'cp -tA src/a.ts',
        'true',
        'false',
        'cd',
        'cd -',
      ],
    ),
    shellPaths,
    shellPaths,
  )
  .map(([template, a, b]) => template.replaceAll('A', a).replaceAll('B', b));
const commands = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n'), simple), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.map(([operator, one]) => operator + one).join(''));

const fill = (text: string, { outside: out, home, root, top }: Machine) =>
  text.replaceAll('<out>', out).replaceAll('<home>', home).replaceAll('<root>', root).replaceAll('<top>', top);

const SEED = 20_261_130;

describe('no write leaves the workspace', () => {
  it('whatever a path is made of', async () => {
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(spelled, async (generated) => {
        const given = fill(generated, machine);
        const { decision } = await machine.firewall.check({ writes: [given] });
        if (decision !== 'allow') return;
        allowed++;
        const named = given.replace(/^~(?=\/)/, machine.home);
        expect((await machine.workspace.resolve(named)).inside).toBe(true);
      }),
      { seed: SEED, numRuns: 1500 },
    );
    expect(allowed).toBeGreaterThan(100);
  });

  it.each(['sh', 'bash'])(
    'whatever a command line is made of: what is allowed is run in %s',
    { timeout: 180_000 },
    async (shell) => {
      const before = await outside(machine);
      let allowed = 0;
      await fc.assert(
        fc.asyncProperty(commands, async (generated) => {
          const command = fill(generated, machine);
          const { decision } = await machine.firewall.check({ command });
          if (decision !== 'allow') return;
          allowed++;
          // Each on a machine of its own, since it may remove the links that make it interesting.
          const own = await makeMachine();
          try {
            const check = await own.firewall.check({ command: fill(generated, own) });
            expect(check.decision).toBe('allow');
            const untouched = await outside(own);
            const env = { HOME: own.home, PATH: process.env.PATH };
            // Most of them fail at something; what counts is what they have changed.
            await run(shell, ['-c', fill(generated, own)], { cwd: own.root, env, timeout: 20_000 }).catch(
              () => undefined,
            );
            expect(await outside(own)).toBe(untouched);
          } finally {
            await own.remove();
          }
        }),
        { seed: SEED + shell.length, numRuns: 200 },
      );
      expect(allowed).toBeGreaterThan(10);
      expect(await outside(machine)).toBe(before);
    },
  );
});
