import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../platform/storage/test-disks.ts';
import { readMemoryFile } from './memory-file.ts';
import { judgePath } from './safety/path-rules.ts';
import { Workspace } from './workspace.ts';

async function memoryOf(make: (workspace: string, outside: string) => void): Promise<string | undefined> {
  using temp = temporaryFolder();
  const folder = join(temp.folder, 'workspace');
  mkdirSync(folder);
  make(folder, temp.folder);
  const workspace = await Workspace.open(folder);
  const { root } = workspace;
  const surroundings = { root, home: '/home/you', appFolders: [], platform: process.platform };
  return await readMemoryFile(workspace, (real) => judgePath(real, true, 'read', surroundings).decision === 'allow');
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
});
