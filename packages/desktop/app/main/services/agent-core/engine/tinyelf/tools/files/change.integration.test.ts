import { chmod, link, lstat, mkdir, readdir, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePipe, testRun } from './test-support.ts';

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe('Edit', () => {
  it.each<[string, string | Buffer, Record<string, unknown>, string | Buffer]>([
    ['plain text', 'a\nb\nc\n', { old_text: 'b', new_text: 'B' }, 'a\nB\nc\n'],
    ['several lines', 'a\nb\nc\n', { old_text: 'a\nb', new_text: 'x\ny\nz' }, 'x\ny\nz\nc\n'],
    ['no line end at the end', 'a\nb', { old_text: 'b', new_text: 'c' }, 'a\nc'],
    ['removal', 'a\nb\nc\n', { old_text: 'b\n', new_text: '' }, 'a\nc\n'],
    ['CRLF', 'a\r\nb\r\nc\r\n', { old_text: 'a\nb\n', new_text: 'x\ny\nz\n' }, 'x\r\ny\r\nz\r\nc\r\n'],
    ['CRLF, from CRLF', 'a\r\nb\r\n', { old_text: 'a\r\nb', new_text: 'x\r\ny' }, 'x\r\ny\r\n'],
    ['LF, from CRLF', 'a\nb\n', { old_text: 'a\r\nb', new_text: 'x\r\ny' }, 'x\ny\n'],
    [
      'mixed line ends, in the LF part',
      'a\r\nb\r\nc\r\nd\ne\n',
      { old_text: 'd\ne', new_text: '1\n2' },
      'a\r\nb\r\nc\r\n1\n2\n',
    ],
    ['mixed line ends, in the CRLF part', 'a\r\nb\nc\nd\n', { old_text: 'a\nb', new_text: '1\n2' }, '1\r\n2\nc\nd\n'],
    ['mixed line ends, within a line', 'a\r\nb\r\nc\n', { old_text: 'c', new_text: '1\n2' }, 'a\r\nb\r\n1\r\n2\n'],
    ['a carriage return alone', 'a\rb\nc', { old_text: 'b', new_text: 'x' }, 'a\rx\nc'],
    ['UTF-8 with a mark', '\ufeffä\n', { old_text: 'ä', new_text: 'ö' }, '\ufeffö\n'],
    [
      'UTF-16',
      Buffer.from('\ufeffä\r\n', 'utf16le'),
      { old_text: 'ä', new_text: '日' },
      Buffer.from('\ufeff日\r\n', 'utf16le'),
    ],
    [
      'big-endian',
      Buffer.from('\ufeffab', 'utf16le').swap16(),
      { old_text: 'b', new_text: 'c' },
      Buffer.from('\ufeffac', 'utf16le').swap16(),
    ],
    ['dollars', 'a', { old_text: 'a', new_text: '$& $1 $$' }, '$& $1 $$'],
  ])('%s', async (_, before, params, after) => {
    await using run = await testRun();
    await run.put('a.txt', before);
    expect(await run.call('Edit', { path: 'a.txt', ...params })).toMatch(/^Edited a\.txt: 1 replacement \(/);
    expect(await run.bytes('a.txt')).toEqual(Buffer.from(after));
  });

  it('replaces all only when told, and only in what was read', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'x\r\ny x\r\nx\r\n');
    const edit = { path: 'a.txt', old_text: 'x', new_text: 'zz' };
    expect(await run.call('Edit', edit)).toBe(
      'Error: old_text is in a.txt 3 times, on lines 1, 2, 3. Give more of what is around it, or set replace_all.',
    );
    expect(await run.call('Edit', { ...edit, replace_all: true })).toMatch(/^Error: You haven't read a\.txt\./);
    await run.call('Read', { path: 'a.txt' });
    expect(await run.call('Edit', { ...edit, replace_all: true })).toBe('Edited a.txt: 3 replacements (+3 −3 lines).');
    expect(await run.get('a.txt')).toBe('zz\r\ny zz\r\nzz\r\n');
  });

  it('counts places that overlap: which of them is meant can’t be told', async () => {
    await using run = await testRun();
    const before = 'a {\n  }\n  }\n  }\n';
    await run.put('a.txt', before);
    const edit = { path: 'a.txt', old_text: '  }\n  }\n', new_text: '  }\n' };
    expect(await run.call('Edit', edit)).toBe(
      'Error: old_text is in a.txt 2 times, on lines 2, 3. Give more of what is around it, or set replace_all.',
    );
    expect(await run.get('a.txt')).toBe(before);
    await run.call('Read', { path: 'a.txt' });
    expect(await run.call('Edit', { ...edit, replace_all: true })).toMatch(/^Edited a\.txt: 1 replacement /);
    expect(await run.get('a.txt')).toBe('a {\n  }\n  }\n');
  });

  it.each<[string, string]>([
    ['retrun a;', 'Line 2 is "  return a;": that comes closest.'],
    ['    return a;', 'Line 2 is "  return a;": the white space differs.'],
    ['  return a;\n  }', 'Line 2 is "  return a;", as old_text has it, but what follows or comes before differs.'],
    ['quite different', 'No line of it is similar. Read the file again.'],
    ['\n\n\n', 'It has only white space in it: give some text around it too.'],
  ])('says what is closest to %j', async (old_text, hint) => {
    await using run = await testRun();
    await run.put('a.ts', 'f() {\n  return a;\n}\n');
    expect(await run.call('Edit', { path: 'a.ts', old_text, new_text: 'x' })).toBe(
      `Error: old_text is not in a.ts. ${hint}`,
    );
  });

  it.each<[string, string | Buffer, Record<string, string>, string]>([
    ['nothing to find', 'a', { old_text: '', new_text: 'b' }, 'Error: old_text is empty. Use Write for a new file.'],
    [
      'nothing to change',
      'a\nb',
      { old_text: 'a\nb', new_text: 'a\r\nb' },
      'Error: old_text and new_text are the same.',
    ],
    [
      'an empty file',
      '',
      { old_text: 'a', new_text: 'b' },
      'Error: old_text is not in a.txt. No line of it is similar. Read the file again.',
    ],
    ['NUL bytes', 'a\0', { old_text: 'a', new_text: 'b' }, 'Error: a.txt is no text: binary file.'],
    [
      'Latin-1',
      Buffer.from([0x61, 0xe4]),
      { old_text: 'a', new_text: 'b' },
      'Error: a.txt is in an encoding other than UTF-8 and UTF-16. Edit would damage it. Convert it first, or change it with Bash.',
    ],
  ])('refuses %s and leaves the file', async (_, content, params, error) => {
    await using run = await testRun();
    await run.put('a.txt', content);
    expect(await run.call('Edit', { path: 'a.txt', ...params })).toBe(error);
    expect(await run.bytes('a.txt')).toEqual(Buffer.from(content));
    expect(await run.changes.list('run')).toEqual([]);
  });

  it('refuses a file that is missing, a folder, a pipe', async () => {
    await using run = await testRun();
    await run.put('folder/a.txt', '');
    makePipe(run.at('pipe'));
    const edit = (path: string) => run.call('Edit', { path, old_text: 'a', new_text: 'b' });
    expect(await edit('folder/b.txt')).toBe('Error: There is no folder/b.txt. There is folder/a.txt.');
    expect(await edit('folder')).toMatch(/^Error: folder is a folder/);
    expect(await edit('pipe')).toBe('Error: pipe is a named pipe, not a file.');
  });

  it('makes edits of one file one after another', async () => {
    await using run = await testRun();
    const names = Array.from({ length: 30 }, (_, i) => `<${i}>`);
    await run.put('a.txt', names.join('\n'));
    const answers = await Promise.all(
      names.map((name) => run.call('Edit', { path: 'a.txt', old_text: name, new_text: `${name}!` })),
    );
    expect(answers.filter((answer) => answer.startsWith('Error'))).toEqual([]);
    expect(await run.get('a.txt')).toBe(names.map((name) => `${name}!`).join('\n'));
    expect(await run.changes.list('run')).toHaveLength(30);
  });
});

describe('Write', () => {
  it('makes a file and its folders, as given', async () => {
    await using run = await testRun();
    expect(await run.call('Write', { path: 'new/deep/a b\n日.txt', content: 'x\r\ny' })).toBe(
      'Created "new/deep/a b\\n日.txt" (2 lines).',
    );
    expect(await run.get('new/deep/a b\n日.txt')).toBe('x\r\ny');
    expect(await run.call('Write', { path: 'empty', content: '' })).toBe('Created empty (0 lines).');
    expect((await readdir(run.root)).sort()).toEqual(['empty', 'new']);
  });

  it.each<[string, string | Buffer, string, string | Buffer]>([
    ['line ends', 'a\r\nb\r\n', 'x\ny\nz', 'x\r\ny\r\nz'],
    ['LF', 'a\nb\n', 'x\r\ny\r\n', 'x\ny\n'],
    ['a mark', '\ufeffa\n', 'x\n', '\ufeffx\n'],
    ['a mark that is given too', '\ufeffa\n', '\ufeffx\n', '\ufeffx\n'],
    ['UTF-16', Buffer.from('\ufeffa', 'utf16le'), 'x', Buffer.from('\ufeffx', 'utf16le')],
    ['no line ends', 'a', 'x\r\ny', 'x\r\ny'],
  ])('keeps %s of a file that was there', async (_, before, content, after) => {
    await using run = await testRun();
    await run.put('a.txt', before);
    await run.call('Read', { path: 'a.txt' });
    expect(await run.call('Write', { path: 'a.txt', content })).toMatch(/^Wrote a\.txt \(/);
    expect(await run.bytes('a.txt')).toEqual(Buffer.from(after));
  });

  it('replaces only what was read and is still the same', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'a');
    const write = (content: string) => run.call('Write', { path: 'a.txt', content });
    expect(await write('b')).toBe(
      "Error: a.txt exists, and you haven't read it. Read it first, or use Edit to change a part.",
    );
    await run.call('Read', { path: 'a.txt' });
    await run.put('a.txt', 'by someone else');
    const changed = 'Error: a.txt has changed since you read it. Read it again.';
    expect(await write('b')).toBe(changed);
    expect(await run.call('Edit', { path: 'a.txt', old_text: 'someone', new_text: 'x' })).toBe(changed);
    await run.call('Read', { path: 'a.txt' });
    expect(await write('b')).toBe('Wrote a.txt (+1 −1 lines).');
    // What it wrote itself it knows.
    expect(await write('c')).toBe('Wrote a.txt (+1 −1 lines).');
    expect(await write('c')).toBe('a.txt is just so already; nothing was changed.');
    await unlink(run.at('a.txt'));
    expect(await write('d')).toBe('Created a.txt (1 line).');
  });

  it('refuses binary files, folders and what is too large', async () => {
    await using run = await testRun();
    await run.put('bin', '\0');
    await mkdir(run.at('folder'));
    const write = (path: string, content = 'x') => run.call('Write', { path, content });
    expect(await write('bin')).toBe('Error: bin is no text: binary file. Write replaces only text.');
    expect(await write('folder')).toMatch(/^Error: folder is a folder/);
    expect(await write('bin/x')).toMatch(/^Error: bin\/x can't be read: a part of the path is a file, not a folder\.$/);
    expect(await write('big', 'x'.repeat(11 * 1024 * 1024))).toBe('Error: big would be larger than 10 MB.');
    expect(await write('x'.repeat(300))).toMatch(/can't be followed\.$/);
    expect((await readdir(run.root)).sort()).toEqual(['bin', 'folder']);
  });
});

describe('Write and Edit', () => {
  it.each([0o600, 0o755, 0o644])('keep the permissions %o', async (mode) => {
    await using run = await testRun();
    await run.put('a.sh', 'a');
    await chmod(run.at('a.sh'), mode);
    await run.call('Edit', { path: 'a.sh', old_text: 'a', new_text: 'b' });
    expect(await modeOf(run.at('a.sh'))).toBe(mode);
    await run.call('Write', { path: 'a.sh', content: 'c' });
    expect(await modeOf(run.at('a.sh'))).toBe(mode);
    expect(await readdir(run.root)).toEqual(['a.sh']);
  });

  it('change what a link leads to, and leave the link', async () => {
    await using run = await testRun();
    await run.put('real/a.txt', 'a');
    await symlink('real/a.txt', run.at('link'));
    await symlink('real/new.txt', run.at('to-new'));
    expect(await run.call('Edit', { path: 'link', old_text: 'a', new_text: 'b' })).toMatch(/^Edited real\/a\.txt/);
    expect(await run.call('Write', { path: 'to-new', content: 'n' })).toBe('Created real/new.txt (1 line).');
    expect(await run.get('real/a.txt')).toBe('b');
    expect(await run.get('real/new.txt')).toBe('n');
    expect((await lstat(run.at('link'))).isSymbolicLink()).toBe(true);
    expect((await lstat(run.at('to-new'))).isSymbolicLink()).toBe(true);
  });

  it('never replace part of a file: who reads it meanwhile reads the old one', async () => {
    await using run = await testRun();
    await run.put('a.txt', 'a');
    await link(run.at('a.txt'), run.at('other-name'));
    await run.call('Edit', { path: 'a.txt', old_text: 'a', new_text: 'b' });
    expect([await run.get('a.txt'), await run.get('other-name')]).toEqual(['b', 'a']);
  });

  it.each([
    '../a.txt',
    'link-out',
    'folder-out/a.txt',
    'folder-out/new.txt',
    '~/a.txt',
    '/etc/a.txt',
    'link-new',
    'sub/../../a.txt',
  ])('refuse %s, which is outside the workspace', async (name) => {
    await using run = await testRun();
    await writeFile(path.join(run.folder, 'a.txt'), 'a');
    await symlink('../a.txt', run.at('link-out'));
    await symlink('..', run.at('folder-out'));
    await symlink('../new.txt', run.at('link-new'));
    const before = (await readdir(run.folder)).sort();
    await run.call('Read', { path: name });
    const refused = new RegExp(
      `^Error: .* is outside the workspace\\. Only files below ${run.root} can be changed\\.$`,
    );
    expect(await run.call('Write', { path: name, content: 'b' })).toMatch(refused);
    expect(await run.call('Edit', { path: name, old_text: 'a', new_text: 'b' })).toMatch(refused);
    expect((await readdir(run.folder)).sort()).toEqual(before);
  });

  it('show what they changed as a diff', async () => {
    await using run = await testRun();
    await run.put('a.txt', '1\n2\n3\n');
    await run.call('Edit', { path: 'a.txt', old_text: '2\n', new_text: 'two\nmore\n' });
    const [change] = await run.changes.list('run');
    expect(run.displays).toEqual([
      {
        kind: 'diff',
        changeId: change!.id,
        path: 'a.txt',
        diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n 1\n-2\n+two\n+more\n 3\n',
        added: 2,
        removed: 1,
      },
    ]);
    expect(change).toMatchObject({
      callId: 'call',
      path: 'a.txt',
      kind: 'edited',
      added: 2,
      removed: 1,
      undone: false,
    });
    expect(run.events).toEqual([{ type: 'agent.fileChanged', payload: { conversationId: 'run', change } }]);
  });

  it('cut a long diff', async () => {
    await using run = await testRun();
    await run.call('Write', { path: 'a.txt', content: 'line\n'.repeat(100_000) });
    const [display] = run.displays;
    expect(display).toMatchObject({ added: 100_000, removed: 0 });
    const { diff } = display as { diff: string };
    expect(diff.length).toBeLessThanOrEqual(50_000);
    expect(diff.endsWith('+line\n')).toBe(true);
  });
});
