import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../platform/storage/test-disks.ts';
import { readMemoryFile } from './memory-file.ts';
import { judgePath } from './safety/path-rules.ts';
import { Workspace } from './workspace.ts';

/** @param meanwhile what is done between the look at the file and its being read */
async function memoryOf(
  make: (workspace: string, outside: string) => void,
  meanwhile = (_workspace: string, _outside: string) => {},
): Promise<string | undefined> {
  using temp = temporaryFolder();
  const folder = join(temp.folder, 'workspace');
  mkdirSync(folder);
  make(folder, temp.folder);
  const workspace = await Workspace.open(folder);
  const { root } = workspace;
  const surroundings = { root, home: '/home/you', appFolders: [], platform: process.platform };
  return await readMemoryFile(workspace, (real) => {
    meanwhile(folder, temp.folder);
    return judgePath(real, true, 'read', surroundings).decision === 'allow';
  });
}

describe('readMemoryFile', () => {
  it('reads the first 2,000 characters, whole ones', async () => {
    expect(await memoryOf((folder) => writeFileSync(join(folder, 'AGENTS.md'), '\uFEFFUse tabs.\n'))).toBe('Use tabs.');
    const long = await memoryOf((folder) => writeFileSync(join(folder, 'AGENTS.md'), '日本'.repeat(5000)));
    expect(long).toBe('日本'.repeat(1000));
    expect(await memoryOf((folder) => writeFileSync(join(folder, 'AGENTS.md'), ' \n'))).toBeUndefined();
  });

  it('follows links in the workspace, and none that lead out of it', async () => {
    const inside = await memoryOf((folder) => {
      writeFileSync(join(folder, 'rules.md'), 'Inside.');
      symlinkSync('rules.md', join(folder, 'AGENTS.md'));
    });
    expect(inside).toBe('Inside.');
    const outside = await memoryOf((folder, other) => {
      writeFileSync(join(other, 'secret'), 'Secret.');
      symlinkSync(join(other, 'secret'), join(folder, 'AGENTS.md'));
    });
    expect(outside).toBeUndefined();
  });

  it('follows no link to a file that may hold secrets, in the workspace or not', async () => {
    for (const secret of ['.env', 'id_ed25519', 'server.key']) {
      const memory = await memoryOf((folder) => {
        writeFileSync(join(folder, secret), 'Secret.');
        symlinkSync(secret, join(folder, 'AGENTS.md'));
      });
      expect(memory, secret).toBeUndefined();
    }
  });

  it('finds nothing where there is no such file', async () => {
    expect(await memoryOf(() => {})).toBeUndefined();
    expect(await memoryOf((folder) => mkdirSync(join(folder, 'AGENTS.md')))).toBeUndefined();
  });

  it('reads nothing of a link or a pipe that has taken its place since it was looked at', async () => {
    const write = (folder: string) => writeFileSync(join(folder, 'AGENTS.md'), 'Use tabs.');
    const link = await memoryOf(write, (folder, outside) => {
      writeFileSync(join(outside, 'secret'), 'Secret.');
      rmSync(join(folder, 'AGENTS.md'));
      symlinkSync(join(outside, 'secret'), join(folder, 'AGENTS.md'));
    });
    expect(link).toBeUndefined();
    if (process.platform === 'win32') return;
    const pipe = await memoryOf(write, (folder) => {
      rmSync(join(folder, 'AGENTS.md'));
      execFileSync('mkfifo', [join(folder, 'AGENTS.md')]);
    });
    expect(pipe).toBeUndefined();
  });
});
