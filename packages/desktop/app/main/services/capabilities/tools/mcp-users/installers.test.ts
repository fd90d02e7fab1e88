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
  ])('%s %j', (command, args) => expect(mayInstall({ command, args })).toBe(true));

  it.each([
    ['node', ['npx']],
    ['npm', ['start']],
    ['pipx', []],
    ['my-npx', []],
    ['', []],
  ])('not %s %j', (command, args) => expect(mayInstall({ command, args })).toBe(false));
});
