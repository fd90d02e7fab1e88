import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInside, Workspace } from './workspace.ts';

let folder: string;
let root: string;
let workspace: Workspace;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'workspace-')));
  root = path.join(folder, 'work');
  await mkdir(path.join(root, 'src'), { recursive: true });
  await writeFile(path.join(root, 'src/a.txt'), 'a');
  workspace = await Workspace.open(root);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('Workspace', () => {
  it('is a folder that exists', async () => {
    await expect(Workspace.open(path.join(folder, 'gone'))).rejects.toMatchObject({ code: 'workspace-missing' });
    await expect(Workspace.open(path.join(root, 'src/a.txt'))).rejects.toMatchObject({ code: 'workspace-missing' });
    await symlink(root, path.join(folder, 'link'));
    expect((await Workspace.open(path.join(folder, 'link'))).root).toBe(root);
  });

  it.each([
    ['src/a.txt', 'src/a.txt', true],
    ['.', '.', true],
    ['src/../new/deep.txt', 'new/deep.txt', true],
    ['..', '', false],
    ['src/../../other', '', false],
    ['/etc/passwd', '', false],
    ['..hidden/x', '..hidden/x', true],
    ['name with 空白 and ü', 'name with 空白 and ü', true],
  ])('takes %s', async (given, shown, inside) => {
    const resolved = await workspace.resolve(given);
    expect(resolved.inside).toBe(inside);
    if (inside) expect(workspace.show(resolved.real)).toBe(shown);
  });

  it('follows links, also those to what does not exist yet', async () => {
    await symlink(folder, path.join(root, 'up'));
    await symlink('src', path.join(root, 'near'));
    await symlink(path.join(folder, 'not-yet'), path.join(root, 'dangling'));
    expect(await workspace.resolve('up/secret')).toMatchObject({ real: path.join(folder, 'secret'), inside: false });
    expect(await workspace.resolve('near/a.txt')).toMatchObject({ real: path.join(root, 'src/a.txt'), inside: true });
    expect(await workspace.resolve('dangling')).toMatchObject({ real: path.join(folder, 'not-yet'), inside: false });
    expect(await workspace.resolve('dangling/x')).toMatchObject({ inside: false });
  });

  it('refuses what leads nowhere', async () => {
    await symlink('round', path.join(root, 'round'));
    await expect(workspace.resolve('round')).rejects.toMatchObject({ code: 'invalid-path' });
    await expect(workspace.resolve('')).rejects.toMatchObject({ code: 'invalid-path' });
    await expect(workspace.resolve('a\0b')).rejects.toMatchObject({ code: 'invalid-path' });
  });

  it('knows the home of the person, and its own name by the start of others', async () => {
    expect(await workspace.resolve('~/x')).toMatchObject({ named: path.join(homedir(), 'x'), inside: false });
    expect(await workspace.resolve('~x')).toMatchObject({ named: path.join(root, '~x'), inside: true });
    expect(isInside('/a/b', '/a/bc')).toBe(false);
  });
});
