import { describe, expect, it } from 'vitest';
import { mayInstall } from './installers.ts';

describe('mayInstall', () => {
  it.each([
    ['npx', ['-y', 'server']],
    ['/usr/local/bin/npx', []],
    ['C:\\Program Files\\nodejs\\npx.cmd', []],
    ['uvx', ['server']],
    ['docker', ['run', '-i', 'image']],
    ['bunx', []],
    ['pipx', ['run', 'server']],
    ['npm', ['exec', 'server']],
    ['uv', ['--quiet', 'tool', 'run', 'server']],
    ['cmd', ['/c', 'npx', '-y', 'server']],
    ['C:\\Windows\\System32\\cmd.exe', ['/d', '/s', '/c', 'npx.cmd -y server']],
    ['sh', ['-c', 'exec npx -y server 2>/dev/null']],
    ['bash', ['-lc', 'cd ~/x && uv run server.py']],
    ['/usr/bin/env', ['A=1', 'npx', 'server']],
    ['wsl', ['npx', 'server']],
    ['mise', ['exec', '--', 'npx', 'server']],
    ['wsl', ['bash', '-c', 'docker run -i image']],
    ['deno', ['run', '-A', 'npm:server']],
  ])('%s %j', (command, args) => expect(mayInstall({ command, args })).toBe(true));

  it.each([
    ['node', ['npx']],
    ['npm', ['start']],
    ['pipx', []],
    ['my-npx', []],
    ['sh', ['-c', 'node server.js']],
    ['env', ['A=1', 'node', 'server.js']],
    ['deno', ['run', 'server.ts']],
    ['', []],
  ])('not %s %j', (command, args) => expect(mayInstall({ command, args })).toBe(false));
});
