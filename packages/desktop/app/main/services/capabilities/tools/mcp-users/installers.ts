import path from 'node:path';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';

/** Programs that download what they run, and words that make another program do so. */
const ALONE = new Set(['npx', 'bunx', 'uvx', 'pnpx', 'docker', 'podman']);
const WITH_WORD: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pipx: ['run'],
};

/** Whether a command may download the server before it starts it, which can take minutes the first time. */
export function mayInstall({ command = '', args = [] }: Pick<McpServerConfig, 'command' | 'args'>): boolean {
  const name = path.win32
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  return ALONE.has(name) || args.some((arg) => WITH_WORD[name]?.includes(arg) ?? false);
}
