import { mkdir, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { testRun } from './test-support.ts';

describe('what a call would change', () => {
  it('is shown of the file as it is, and nothing is changed', async () => {
    await using run = await testRun();
    await run.put('src/a.txt', 'one\r\ntwo\r\nthree\r\n');
    const edit = { path: './src/../src/a.txt', old_text: 'two', new_text: '2' };
    expect(await run.preview('Edit', edit)).toEqual({
      kind: 'diff',
      path: 'src/a.txt',
      diff: expect.stringContaining('@@ -1,3 +1,3 @@\n one\r\n-two\r\n+2\r\n three\r\n'),
      added: 1,
      removed: 1,
    });
    await run.call('Read', { path: 'src/a.txt' });
    expect(await run.preview('Write', { path: 'src/a.txt', content: 'one\ntwo\n' })).toMatchObject({
      diff: expect.stringContaining('-three\r\n'),
      added: 0,
      removed: 1,
    });
    expect(await run.preview('Write', { path: 'new/b.txt', content: 'x\n' })).toMatchObject({
      diff: '--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1,1 @@\n+x\n',
    });
    expect(await run.get('src/a.txt')).toBe('one\r\ntwo\r\nthree\r\n');
    expect(await readdir(run.root)).toEqual(['src']);
    expect(run.events).toEqual([]);
    expect(await run.changes.list('run')).toEqual([]);
  });

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'text that is not there',
      'Edit',
      { path: 'a.txt', old_text: 'gone', new_text: 'x' },
      /^old_text is not in a\.txt\./,
    ],
    ['text that is there twice', 'Edit', { path: 'a.txt', old_text: 'a', new_text: 'x' }, /2 times/],
    ['a file that is missing', 'Edit', { path: 'b.txt', old_text: 'a', new_text: 'x' }, /b\.txt/],
    ['a file that was not read', 'Write', { path: 'a.txt', content: 'x' }, /you haven't read it/],
    ['a folder', 'Write', { path: 'folder', content: 'x' }, /is a folder/],
    ['a file outside', 'Write', { path: '/etc/hosts', content: 'x' }, /outside the workspace/],
  ])('is what the call says, with the reason, for %s', async (_, tool, params, problem) => {
    await using run = await testRun();
    await run.put('a.txt', 'a\na\n');
    await mkdir(run.at('folder'));
    const shown = await run.preview(tool, params);
    expect(shown).toMatchObject({ path: params.path, problem: expect.stringMatching(problem) });
    expect(shown?.diff).toContain('+x');
    expect(shown?.diff.includes(`-${params.old_text}`)).toBe(tool === 'Edit');
  });

  it('has nothing of a file that is off limits', async () => {
    await using run = await testRun({ judge: (real) => (real.endsWith('id_rsa') ? 'deny' : 'allow') });
    await run.put('id_rsa', 'secret\n');
    const shown = await run.preview('Edit', { path: 'id_rsa', old_text: 'sec', new_text: 'x' });
    expect(shown?.problem).toContain('id_rsa');
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  it('is nothing where a tool changes no file, or its arguments make no sense', async () => {
    await using run = await testRun();
    expect(await run.preview('Read', { path: 'a.txt' })).toBeUndefined();
    expect(await run.preview('Write', { path: 'a.txt' })).toBeUndefined();
  });
});
