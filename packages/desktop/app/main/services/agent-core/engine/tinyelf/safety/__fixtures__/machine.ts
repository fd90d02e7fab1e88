import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Workspace } from '../../workspace.ts';
import { ExecutionFirewall } from '../ExecutionFirewall.ts';

/** A small machine in a temporary folder: two homes, a workspace in one of them, the app's data, and links. */
export interface Machine {
  top: string;
  home: string;
  root: string;
  outside: string;
  workspace: Workspace;
  firewall: ExecutionFirewall;
  remove(): Promise<void>;
}

export async function makeMachine(platform: NodeJS.Platform = 'linux'): Promise<Machine> {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'firewall-')));
  const home = path.join(top, 'home/me');
  const root = path.join(home, 'work');
  const outside = path.join(top, 'elsewhere');
  const files: Record<string, string> = {
    'home/me/work/src/a.ts': 'a',
    'home/me/work/src/deep/b.ts': 'b',
    'home/me/work/.env': 'KEY=1',
    'home/me/work/.env.example': 'KEY=',
    'home/me/work/test/cert.pem': 'pem',
    'home/me/work/.git/config': '',
    'home/me/work/.git/hooks/pre-commit': '',
    'home/me/work/name with space.txt': '',
    'home/me/.ssh/id_rsa': 'key',
    'home/me/.aws/credentials': 'key',
    'home/me/.bashrc': '',
    'home/me/notes.txt': '',
    'home/me/.config/TinyElf/conversations.db': '',
    'home/you/diary.txt': '',
    'elsewhere/file.txt': '',
    'elsewhere/dir/file.txt': '',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true });
    await writeFile(path.join(top, name), content);
  }
  const links: Record<string, string> = {
    up: outside,
    updir: path.join(outside, 'dir'),
    near: 'src',
    dangling: path.join(outside, 'not-yet'),
    key: path.join(home, '.ssh/id_rsa'),
    etc: '/etc',
    round: 'round',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, path.join(root, name));
  const workspace = await Workspace.open(root);
  const firewall = new ExecutionFirewall({
    workspace,
    home,
    appFolders: [path.join(home, '.config/TinyElf')],
    platform,
  });
  return { top, home, root, outside, workspace, firewall, remove: () => rm(top, { recursive: true, force: true }) };
}
