import { mkdir, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { makePipe, testRun } from './test-support.ts';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('Read', () => {
  it.each<[string, string | Buffer, string]>([
    ['plain lines', 'a\nb\n', '     1\ta\n     2\tb'],
    ['no line end at the end', 'a\nb', '     1\ta\n     2\tb'],
    ['empty lines', '\n\na\n', '     1\t\n     2\t\n     3\ta'],
    ['CRLF', 'a\r\nb\r\n', '     1\ta\n     2\tb'],
    ['mixed line ends', 'a\r\nb\nc', '     1\ta\n     2\tb\n     3\tc'],
    ['UTF-8 with a mark', '\ufeffä', '     1\tä'],
    [
      'UTF-16 LE with a mark',
      Buffer.from('\ufeffä\n日', 'utf16le'),
      '     1\tä\n     2\t日\n\n(The file is in UTF-16 LE.)',
    ],
    ['UTF-16 BE with a mark', utf16be('\ufeffä'), '     1\tä\n\n(The file is in UTF-16 BE.)'],
    ['UTF-16 LE without', Buffer.from('hello', 'utf16le'), '     1\thello\n\n(The file is in UTF-16 LE.)'],
    ['UTF-16 BE without', utf16be('hello'), '     1\thello\n\n(The file is in UTF-16 BE.)'],
    ['empty', '', '(a.txt is empty.)'],
    ['only a mark', '\ufeff', '(a.txt is empty.)'],
    [
      'no UTF-8',
      Buffer.from([0x61, 0xe4, 0x62]),
      '     1\ta\ufffdb\n\n(Not valid UTF-8: what could not be read is shown as \ufffd.)',
    ],
    ['NUL bytes', 'a\0b', 'Error: a.txt is no text: binary file, 3 bytes.'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'Error: a.txt is no text: PNG picture, 10 bytes.'],
    ['a GIF', 'GIF89a', 'Error: a.txt is no text: GIF picture, 6 bytes.'],
    ['a PDF', '%PDF-1.7\n', 'Error: a.txt is no text: PDF document, 9 bytes.'],
  ])('%s', async (_, content, expected) => {
    await using run = await testRun();
    await run.put('a.txt', content);
    expect(await run.call('Read', { path: 'a.txt' })).toBe(expected);
  });

  it('takes a part, and says how to go on', async () => {
    await using run = await testRun();
    await run.put('a.txt', Array.from({ length: 5000 }, (_, i) => `line ${i + 1}\n`).join(''));
    expect(await run.call('Read', { path: 'a.txt', offset: 4, limit: 2 })).toBe(
      '     4\tline 4\n     5\tline 5\n\n(Lines 4 to 5 of 5000. Read on with offset 6.)',
    );
    expect(await run.call('Read', { path: 'a.txt', offset: 5000 })).toBe(
      '  5000\tline 5000\n\n(Lines 5000 to 5000 of 5000.)',
    );
    expect(await run.call('Read', { path: 'a.txt', offset: 5001 })).toBe('Error: a.txt has only 5000 lines.');
    expect(await run.call('Read', { path: 'a.txt' })).toMatch(
      /\(Lines 1 to 2000 of 5000\. Read on with offset 2001\.\)$/,
    );
  });

  it('bounds lines and the whole result', async () => {
    await using run = await testRun();
    await run.put('long.txt', 'x'.repeat(1024 * 1024));
    const long = await run.call('Read', { path: 'long.txt' });
    expect(long.length).toBeLessThan(2200);
    expect(long).toContain('x…\n\n(1 line cut at 2000 characters.)');
    await run.put('wide.txt', `${'日'.repeat(1000)}\n`.repeat(1000));
    const wide = await run.call('Read', { path: 'wide.txt' });
    expect(Buffer.byteLength(wide)).toBeLessThan(50 * 1024);
    expect(wide).toMatch(/\(Lines 1 to 16 of 1000\. Read on with offset 17\.\)$/);
  });

  it('refuses a file of 50 MB', async () => {
    await using run = await testRun();
    await run.put('big.txt', Buffer.alloc(50 * 1024 * 1024, 'a\n'));
    expect(await run.call('Read', { path: 'big.txt' })).toBe(
      'Error: big.txt is 50 MB. Files of up to 10 MB are taken. Use Grep to find what you need in it, or Bash for a part of it.',
    );
  });

  it.each(['with space', 'new\nline', 'файл 日本 🎉', 'quo\'te"', '-rf', '[a]{b}*'])(
    'takes the name %j',
    async (name) => {
      await using run = await testRun();
      await run.put(name, 'hello');
      expect(await run.call('Read', { path: name })).toBe('     1\thello');
    },
  );

  it('names what is close to a missing file', async () => {
    await using run = await testRun();
    await run.put('src/config.ts', '');
    await run.put('src/other.ts', '');
    expect(await run.call('Read', { path: 'src/Config.tsx' })).toBe(
      'Error: There is no src/Config.tsx. There is src/config.ts.',
    );
    expect(await run.call('Read', { path: 'src/zzz' })).toBe(
      'Error: There is no src/zzz. Use ListDir or Glob to find it.',
    );
    expect(await run.call('Read', { path: 'srv/config.ts' })).toMatch(/^Error: There is no srv\/config.ts. There is/);
    expect(await run.call('Read', { path: 'lib/config.ts' })).toBe(
      'Error: There is no lib/config.ts. There is no folder lib.',
    );
    // Not of folders outside, which it may not be allowed to list.
    expect(await run.call('Read', { path: '../wor' })).toBe(`Error: There is no ${run.folder}/wor.`);
  });

  it('waits for nothing that is no file', async () => {
    await using run = await testRun();
    await mkdir(run.at('folder'));
    makePipe(run.at('pipe'));
    await symlink('/dev/zero', run.at('zero'));
    await symlink('/proc/self/environ', run.at('environ'));
    await symlink('b', run.at('a'));
    await symlink('a', run.at('b'));
    const expected: Record<string, string> = {
      folder: 'Error: folder is a folder. Use ListDir to see what is in it.',
      pipe: 'Error: pipe is a named pipe, not a file.',
      zero: 'Error: /dev/zero is a device, not a file.',
      a: `Error: The links in ${run.root}/a lead round in circles.`,
    };
    for (const [path, error] of Object.entries(expected)) expect(await run.call('Read', { path })).toBe(error);
    expect(await run.call('Read', { path: 'environ' })).toMatch(/^Error: .* is made by the kernel \(proc\)/);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, 'path'],
    [{ path: '' }, 'path'],
    [{ path: 3 }, 'path'],
    [{ path: 'a', offset: 0 }, 'offset'],
    [{ path: 'a', limit: 1.5 }, 'limit'],
  ])('says what is wrong with %j', async (params, named) => {
    await using run = await testRun();
    const answer = await run.call('Read', params);
    expect(answer).toMatch(/^Error: These arguments don't fit Read\. /);
    expect(answer).toContain(named);
  });

  it('takes null for what is left out, and no NUL in a path', async () => {
    await using run = await testRun();
    await run.put('a', 'x');
    expect(await run.call('Read', { path: 'a', offset: null, limit: null })).toBe('     1\tx');
    expect(await run.call('Read', { path: 'a\0b' })).toBe('Error: This is not a path.');
  });

  it('stops with the run', async () => {
    await using run = await testRun();
    await expect(run.call('Read', { path: 'a' }, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

describe('ListDir', () => {
  it('lists kinds and sizes by name', async () => {
    await using run = await testRun();
    expect(await run.call('ListDir', {})).toBe('(. is empty.)');
    await run.put('b.txt', 'x'.repeat(1500));
    await run.put('.hidden', '');
    await run.put('sub/c', '');
    await run.put('new\nline', 'x');
    await symlink('/nowhere', run.at('link'));
    makePipe(run.at('pipe'));
    expect(await run.call('ListDir', { path: '.' })).toBe(
      [
        '.hidden  0 bytes',
        'b.txt  1.5 KB',
        'link -> /nowhere',
        '"new\\nline"  1 byte',
        'pipe (named pipe)',
        'sub/',
      ].join('\n'),
    );
  });

  it('bounds a folder of 20,000 entries', async () => {
    await using run = await testRun();
    await mkdir(run.at('many'));
    const names = Array.from({ length: 20_000 }, (_, i) => `many/file-${String(i).padStart(5, '0')}`);
    for (let i = 0; i < names.length; i += 500)
      await Promise.all(names.slice(i, i + 500).map((name) => run.put(name, '')));
    const listed = await run.call('ListDir', { path: 'many' });
    expect(listed).toMatch(/^file-00000 {2}0 bytes\n/);
    expect(listed).toMatch(/\(1000 entries of 20000\. Use Glob to find what you need\.\)$/);
    const found = await run.call('Glob', { pattern: 'many/*', limit: 5000 });
    expect(found).toMatch(/^many\/file-00000\n/);
    expect(Buffer.byteLength(found)).toBeLessThan(50 * 1024);
    expect(found).toMatch(/\(There is more than these \d+ files\. Narrow the search, or raise limit\.\)$/);
  });

  it('says when it is a file or nothing', async () => {
    await using run = await testRun();
    await run.put('docs/a', '');
    expect(await run.call('ListDir', { path: 'docs/a' })).toBe('Error: docs/a is no folder. Use Read for a file.');
    expect(await run.call('ListDir', { path: 'doc' })).toBe('Error: There is no doc. There is docs.');
  });
});
