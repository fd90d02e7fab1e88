import { mkdir, readdir, readFile, rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../workspace.ts';
import { inPinnedFolder } from './pinned.ts';
import { readBytes } from './read-bytes.ts';
import { testRun } from './test-support.ts';
import { writeAtomic } from './write-atomic.ts';

type Run = Awaited<ReturnType<typeof testRun>>;

/** A run with `sub/a.txt`, a folder outside with another one, and what puts a link to that in the place of `sub`. */
async function setUp(options: Parameters<typeof testRun>[0] = {}) {
  const run = await testRun(options);
  const outside = path.join(run.folder, 'outside');
  await run.put('sub/a.txt', 'mine');
  await mkdir(outside);
  await writeFile(path.join(outside, 'a.txt'), 'theirs');
  const swap = async () => {
    await rename(run.at('sub'), run.at('moved'));
    await symlink(outside, run.at('sub'));
  };
  return { run, outside, swap, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() };
}

/** The links are swapped right after a tool has followed them for the nth time. */
function swappingAfter(run: Run, nth: number, swap: () => Promise<void>) {
  let times = 0;
  const { workspace } = run;
  const resolve = workspace.resolve.bind(workspace);
  workspace.resolve = async (...args: Parameters<Workspace['resolve']>) => {
    const resolved = await resolve(...args);
    if (++times === nth) await swap();
    return resolved;
  };
}

describe('a folder that becomes a link while it is used', () => {
  it('shows Read nothing of where it leads', async () => {
    await using test = await setUp();
    swappingAfter(test.run, 1, test.swap);
    expect(await test.run.call('Read', { path: 'sub/a.txt' })).toMatch(/^Error: sub\/a\.txt leads elsewhere now/);
  });

  it.each(['Write', 'Edit'])('lets %s change nothing where it leads', async (tool) => {
    await using test = await setUp();
    await test.run.call('Read', { path: 'sub/a.txt' });
    swappingAfter(test.run, 2, test.swap);
    const args = { content: 'new', old_text: 'mine', new_text: 'new' };
    expect(await test.run.call(tool, { path: 'sub/a.txt', ...args })).toMatch(
      /^Error: sub\/a\.txt leads elsewhere now/,
    );
    expect(await readFile(path.join(test.outside, 'a.txt'), 'utf8')).toBe('theirs');
    expect(await test.run.changes.list('run')).toEqual([]);
  });

  it('lets no file be made there, not even for a moment', async () => {
    await using test = await setUp();
    await test.swap();
    const long = new Date(2000, 1);
    await utimes(test.outside, long, long);
    await expect(writeAtomic(test.run.at('sub/new.txt'), Buffer.from('x'))).rejects.toThrow();
    expect((await stat(test.outside)).mtime).toEqual(long);
  });

  it.runIf(process.platform === 'linux')('is held while a file in it is replaced or removed', async () => {
    await using test = await setUp();
    await inPinnedFolder(test.run.at('sub'), async (pinned) => {
      await test.swap();
      await unlink(path.join(pinned, 'a.txt'));
    });
    expect(await readdir(test.outside)).toEqual(['a.txt']);
    expect(await readdir(test.run.at('moved'))).toEqual([]);
  });

  it('does not let undo remove what is there', async () => {
    await using test = await setUp();
    await test.run.call('Write', { path: 'sub/new.txt', content: 'x' });
    const [change] = await test.run.changes.list('run');
    await writeFile(path.join(test.outside, 'new.txt'), 'x');
    await test.swap();
    await expect(test.run.changes.undo('run', change!.id, { force: true })).rejects.toThrow();
    expect((await readdir(test.outside)).sort()).toEqual(['a.txt', 'new.txt']);
  });

  it('gives no content to whoever reads it, and its own to whoever opened it before', async () => {
    await using test = await setUp();
    const real = test.run.at('sub/a.txt');
    expect((await readBytes(real, 'a', 100))?.bytes.toString()).toBe('mine');
    await test.swap();
    await expect(readBytes(real, 'a', 100)).rejects.toThrow('leads elsewhere');
  });
});

describe('a path that leads to something off limits when it is used', () => {
  it.each([
    ['Read', { path: 'key' }],
    ['ListDir', { path: 'keys' }],
    ['Glob', { path: 'keys', pattern: '*' }],
    ['Grep', { path: 'key', pattern: 'secret' }],
    ['Write', { path: 'keys/key', content: 'x' }],
    ['Edit', { path: 'key', old_text: 'secret', new_text: 'x' }],
  ])('is refused by %s', async (tool, args) => {
    await using run = await testRun({ judge: (real) => (real.includes('/vault') ? 'deny' : 'allow') });
    await run.put('vault/key', 'secret');
    await symlink('vault/key', run.at('key'));
    await symlink('vault', run.at('keys'));
    expect(await run.call(tool, args)).toMatch(/^Error: vault.* leads elsewhere now/);
    expect(await run.get('vault/key')).toBe('secret');
  });
});
