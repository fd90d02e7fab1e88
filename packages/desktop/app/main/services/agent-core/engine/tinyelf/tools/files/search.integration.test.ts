import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { search } from './search/search.ts';
import { gapNotes } from './search-place.ts';
import { makePipe, testRun } from './test-support.ts';

/** A workspace with these empty files. */
async function withFiles(...names: string[]) {
  const run = await testRun();
  for (const name of names) await run.put(name, '');
  return run;
}

describe('Glob', () => {
  it('finds files, in folders of any depth, hidden ones too', async () => {
    await using run = await withFiles('a.ts', 'src/b.ts', 'src/x/c.ts', '.github/d.ts', 'e.js');
    expect(await run.call('Glob', { pattern: '*.ts' })).toBe('a.ts\n.github/d.ts\nsrc/b.ts\nsrc/x/c.ts');
    expect(await run.call('Glob', { pattern: 'src/**/*.ts' })).toBe('src/b.ts\nsrc/x/c.ts');
    expect(await run.call('Glob', { pattern: '*.ts', path: 'src' })).toBe('src/b.ts\nsrc/x/c.ts');
    expect(await run.call('Glob', { pattern: `${run.root}/src/*.ts` })).toBe('src/b.ts');
    expect(await run.call('Glob', { pattern: '*.rs' })).toBe('No file matches.');
  });

  it('bounds what it finds', async () => {
    await using run = await withFiles('a', 'b', 'c');
    expect(await run.call('Glob', { pattern: '*', limit: 2 })).toBe(
      'a\nb\n\n(There is more than these 2 files. Narrow the search, or raise limit.)',
    );
    expect(await run.call('Glob', { pattern: '*', limit: 3 })).toBe('a\nb\nc');
  });

  it('leaves out what is ignored, unless asked', async () => {
    await using run = await withFiles(
      'a',
      'build/b',
      'sub/build/c',
      'sub/keep.log',
      'x.log',
      'node_modules/m',
      '.git/g',
    );
    await run.put('.gitignore', 'build/\n*.log\n# comment\n');
    await run.put('sub/.gitignore', '!keep.log\n/only-here\n');
    await run.put('sub/only-here', '');
    await run.put('only-here', '');
    expect(await run.call('Glob', { pattern: '**' })).toBe('.gitignore\na\nonly-here\nsub/.gitignore\nsub/keep.log');
    expect(await run.call('Glob', { pattern: '*.log', path: 'sub' })).toBe('sub/keep.log');
    const all = await run.call('Glob', { pattern: '**', include_ignored: true });
    for (const name of ['build/b', 'sub/build/c', 'x.log', 'node_modules/m', '.git/g', 'sub/only-here']) {
      expect(all.split('\n')).toContain(name);
    }
    // Asked for by name.
    expect(await run.call('Glob', { pattern: '*', path: 'build' })).toBe('build/b');
    expect(await run.call('Glob', { pattern: '*', path: 'node_modules' })).toBe('node_modules/m');
  });

  it('neither leaves through links nor goes round in circles', async () => {
    await using run = await withFiles('real/a.txt');
    await writeFile(path.join(run.folder, 'secret.txt'), 'secret');
    await mkdir(path.join(run.folder, 'outside'));
    await writeFile(path.join(run.folder, 'outside/o.txt'), 'secret');
    await symlink('..', run.at('real/up'));
    await symlink('../secret.txt', run.at('out.txt'));
    await symlink('../outside', run.at('outside'));
    await symlink('real/a.txt', run.at('in.txt'));
    await symlink('loop.txt', run.at('loop.txt'));
    await symlink('nowhere.txt', run.at('broken.txt'));
    expect(await run.call('Glob', { pattern: '*.txt' })).toBe('in.txt\nreal/a.txt');
    expect(await run.call('Glob', { pattern: 'outside/*' })).toBe('No file matches.');
    expect(await run.call('Grep', { pattern: 'secret' })).toBe('Nothing matches.');
  });

  it.each(['../*', '/etc/*', 'src/../../*'])('refuses the pattern %s', async (pattern) => {
    await using run = await testRun();
    expect(await run.call('Glob', { pattern })).toMatch(/^Error: A pattern is relative to the folder/);
  });

  it('says when there is no such folder, or it is a file', async () => {
    await using run = await withFiles('docs/a');
    expect(await run.call('Glob', { pattern: '*', path: 'doc' })).toBe('Error: There is no doc. There is docs.');
    expect(await run.call('Glob', { pattern: '*', path: 'docs/a' })).toBe(
      'Error: docs/a is a file. Name a folder in path.',
    );
  });

  it.each(['with space', 'new\nline', 'файл 日本 🎉', '[a]{b}*'])('finds the name %j', async (name) => {
    await using run = await withFiles(name);
    expect(await run.call('Glob', { pattern: '*' })).toBe(name.includes('\n') ? JSON.stringify(name) : name);
  });
});

describe('Grep', () => {
  it('shows lines, with what is around them, files, or counts', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\ntwo again\n');
    await run.put('b/c.txt', 'Two\r\ntwo\r\n');
    expect(await run.call('Grep', { pattern: '^two' })).toBe('a.txt:2: two\na.txt:7: two again\nb/c.txt:2: two');
    expect(await run.call('Grep', { pattern: '^two', context: 1 })).toBe(
      [
        ...['a.txt-1- one', 'a.txt:2: two', 'a.txt-3- three', '--', 'a.txt-6- six', 'a.txt:7: two again'],
        ...['--', 'b/c.txt-1- Two', 'b/c.txt:2: two'],
      ].join('\n'),
    );
    expect(await run.call('Grep', { pattern: 'two', mode: 'files' })).toBe('a.txt\nb/c.txt');
    expect(await run.call('Grep', { pattern: 'TWO', mode: 'count', ignore_case: true })).toBe('a.txt: 2\nb/c.txt: 2');
    expect(await run.call('Grep', { pattern: 'two', glob: 'b/**' })).toBe('b/c.txt:2: two');
    expect(await run.call('Grep', { pattern: 'two', path: 'b/c.txt' })).toBe('b/c.txt:2: two');
    expect(await run.call('Grep', { pattern: 'two$', path: 'b' })).toBe('b/c.txt:2: two');
  });

  it('knows the classes of Unicode, and UTF-16', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'x1\nж2\n');
    await run.put('b.txt', Buffer.from('\ufeffж3\n', 'utf16le'));
    expect(await run.call('Grep', { pattern: '\\p{Script=Cyrillic}\\d' })).toBe('a.txt:2: ж2\nb.txt:1: ж3');
  });

  it('bounds matches, also within one file', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'x\n'.repeat(5));
    await run.put('b.txt', 'x\n');
    const more = '\n\n(There is more than these matches. Narrow the search, or raise limit.)';
    expect(await run.call('Grep', { pattern: 'x', limit: 2 })).toBe(`a.txt:1: x\na.txt:2: x${more}`);
    expect(await run.call('Grep', { pattern: 'x', limit: 5 })).toBe(
      `${[1, 2, 3, 4, 5].map((n) => `a.txt:${n}: x`).join('\n')}${more}`,
    );
    expect(await run.call('Grep', { pattern: 'x', limit: 6 })).toMatch(/b\.txt:1: x$/);
    expect(await run.call('Grep', { pattern: 'x', limit: 2, context: 1 })).toBe(
      `a.txt:1: x\na.txt:2: x\na.txt-3- x${more}`,
    );
  });

  it('cuts long lines around the match, and leaves out what is no text', async () => {
    await using run = await testRun();
    await run.put('long.txt', `${'a'.repeat(1024 * 1024)}NEEDLE${'b'.repeat(1024 * 1024)}`);
    await run.put('binary', 'NEEDLE\0');
    makePipe(run.at('pipe'));
    const found = await run.call('Grep', { pattern: 'NEEDLE' });
    expect(found).toMatch(/^long\.txt:1: …a+NEEDLEb+…$/);
    expect(found.length).toBeLessThan(500);
  });

  it('searches 50 MB, and names what is too large', async () => {
    await using run = await testRun();
    await run.put('big.txt', Buffer.alloc(50 * 1024 * 1024, 'line\n'));
    await run.put('half.txt', `${'line\n'.repeat(4 * 1024 * 1024)}needle\n`);
    expect(await run.call('Grep', { pattern: 'needle' })).toBe(
      'half.txt:4194305: needle\n\n(1 file larger than 32 MB left out.)',
    );
  });

  it('does not hang on an expression that never ends', async () => {
    await using run = await testRun({ searchLimitMs: 1500 });
    await run.put('a.txt', `${'a'.repeat(60)}!\n`);
    const answer = run.call('Grep', { pattern: '(a+)+$' });
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    expect(await answer).toBe(
      'Error: The search took longer than 1.5 s and was stopped. Search a smaller folder, or use a simpler pattern: nested repetition such as (a+)+ can take for ever.',
    );
    clearInterval(timer);
    // The app went on meanwhile.
    expect(ticks).toBeGreaterThan(5);
  });

  it('stops with the run', async () => {
    await using run = await testRun({ searchLimitMs: 600_000 });
    await run.put('a.txt', `${'a'.repeat(60)}!\n`);
    const stop = new AbortController();
    const answer = run.call('Grep', { pattern: '(a+)+$' }, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 300);
    await expect(answer).rejects.toThrow('stopped');
  });

  it('says what is wrong with an expression', async () => {
    await using run = await testRun();
    expect(await run.call('Grep', { pattern: '(' })).toMatch(/^Error: This is no regular expression of JavaScript: /);
  });

  it('shows nothing of files that may not be read', async () => {
    await using run = await testRun({ judge: (real) => (real.endsWith('.env') ? 'ask' : 'allow') });
    await run.put('.env', 'KEY=1\n');
    await run.put('a.txt', 'KEY=2\n');
    expect(await run.call('Grep', { pattern: 'KEY' })).toBe(
      'a.txt:1: KEY=2\n\n(1 file left out: what is in them may not be read.)',
    );
  });

  it('shows what is in a file that the person was asked about by its name, and never what is off limits', async () => {
    await using run = await testRun({
      judge: (real) => (real.endsWith('.env') ? 'ask' : real.endsWith('id_rsa') ? 'deny' : 'allow'),
    });
    await run.put('.env', 'KEY=1\n');
    await run.put('id_rsa', 'KEY=2\n');
    expect(await run.call('Grep', { pattern: 'KEY', path: '.env' })).toBe('.env:1: KEY=1');
    expect(await run.call('Read', { path: '.env' })).toContain('KEY=1');
    expect(await run.call('Grep', { pattern: 'KEY', path: 'id_rsa' })).toMatch(/^Error: id_rsa leads elsewhere now/);

    const outside = path.join(run.folder, 'outside');
    await mkdir(outside);
    for (const name of ['.env', 'id_rsa', 'a.txt']) await writeFile(path.join(outside, name), 'KEY=3\n');
    const found = await run.call('Grep', { pattern: 'KEY', path: outside, mode: 'files' });
    expect(found).toContain('.env');
    expect(found).toContain('a.txt');
    expect(found).not.toContain('id_rsa');
  });
});

it('goes on past names that are no UTF-8, and says what it could not read', async () => {
  await using run = await testRun();
  await run.put('a.txt', 'x');
  const odd = (name: string) => Buffer.concat([Buffer.from(`${run.root}/${name}`), Buffer.from([0xff])]);
  await writeFile(odd('file'), 'x');
  await mkdir(odd('folder'));
  expect(await run.call('Grep', { pattern: 'x' })).toBe('a.txt:1: x\n\n(2 files or folders could not be read.)');
  expect(await run.call('ListDir', {})).toBe("a.txt  1 byte\nfile\ufffd (can't be read)\nfolder\ufffd/");
});

it('ends with what it has when finding files takes too long', async () => {
  await using run = await withFiles('a', 'b');
  const found = search({
    kind: 'glob',
    root: run.root,
    top: run.root,
    includeIgnored: false,
    pattern: '**',
    limit: 10,
    softLimitMs: -1,
  });
  expect(found).toEqual({ files: [], more: false, outOfTime: true, unreadable: 0, tooLarge: 0 });
  expect(gapNotes(found, '0 files')).toEqual([
    '(Not everything was searched: it took too long. Search a smaller folder.)',
  ]);
});

it('tells the firewall what a call would touch', async () => {
  await using run = await testRun();
  const access = Object.fromEntries(run.tools.map((tool) => [tool.name, tool.access!({ path: '../x' })]));
  const [reads, writes] = [{ reads: ['../x'] }, { writes: ['../x'] }];
  expect(access).toEqual({ Read: reads, Write: writes, Edit: writes, ListDir: reads, Glob: reads, Grep: reads });
  expect(run.tools.map((tool) => tool.access!({ path: 7 }))).toEqual(
    run.tools.map(({ risk }) => (risk === 'edit' ? { writes: ['.'] } : { reads: ['.'] })),
  );
  expect(run.tools.map(({ parameters }) => parameters.type)).toEqual(run.tools.map(() => 'object'));
});

it('is no failure because a file is called Error', async () => {
  await using run = await withFiles();
  await run.put('ErrorBoundary.tsx', 'hit');
  expect(await run.call('ListDir', {})).toBe('./ErrorBoundary.tsx  3 bytes');
  expect(await run.call('Glob', { pattern: '*.tsx' })).toBe('./ErrorBoundary.tsx');
  expect(await run.call('Grep', { pattern: 'hit' })).toBe('./ErrorBoundary.tsx:1: hit');
});

it('reads large files of very short lines without more memory than a worker has', { timeout: 60_000 }, async () => {
  await using run = await testRun({ searchLimitMs: 50_000 });
  await run.put('short.txt', 'ab\r\n'.repeat(8 * 1024 * 1024 - 4));
  expect(await run.call('Grep', { pattern: 'zzz' })).toBe('Nothing matches.');
  expect(await run.call('Grep', { pattern: 'b$', mode: 'count' })).toBe(`short.txt: ${8 * 1024 * 1024 - 4}`);
});

it('holds on to the lines that it found, not to the files', { timeout: 60_000 }, async () => {
  await using run = await testRun();
  await run.put('0.txt', `needle in a long text\n${`${'x'.repeat(4000)}\n`.repeat(4000)}`);
  for (let copy = 1; copy < 12; copy++) await link(run.at('0.txt'), run.at(`${copy}.txt`));
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  const { files } = search({
    kind: 'grep',
    root: run.root,
    top: run.root,
    includeIgnored: false,
    softLimitMs: 60_000,
    source: 'needle',
    flags: '',
    mode: 'lines',
    context: 1,
    limit: 100,
  });
  expect(used() - before).toBeLessThan(60_000_000);
  expect(files).toHaveLength(12);
});

it('shows the lines around matches once, and those behind the last when there are more', async () => {
  await using run = await withFiles();
  await run.put('a.txt', 'one\ntwo x\nthree x\nfour\nfive\nsix\nseven x\neight');
  expect(await run.call('Grep', { pattern: 'x', context: 1, limit: 2 })).toContain(
    'a.txt-1- one\na.txt:2: two x\na.txt:3: three x\na.txt-4- four\n\n(There is more',
  );
  expect(await run.call('Grep', { pattern: 'seven x', context: 2 })).toBe(
    'a.txt-5- five\na.txt-6- six\na.txt:7: seven x\na.txt-8- eight',
  );
});
