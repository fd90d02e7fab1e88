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
/** Programs that run what the words after them name. */
const WRAPPERS = new Set(['cmd', 'sh', 'bash', 'zsh', 'env', 'wsl', 'mise']);
/** What Deno and the like fetch before they run it. */
const ADDRESS = /^(?:npm|jsr|https?):/;

/** Whether a command may download the server before it starts it, which can take minutes the first time. */
export function mayInstall({ command = '', args = [] }: Pick<McpServerConfig, 'command' | 'args'>): boolean {
  const name = path.win32
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  if (ALONE.has(name)) return true;
  if (name === 'deno') return args.some((arg) => ADDRESS.test(arg));
  if (WRAPPERS.has(name)) {
    const words = args.flatMap((arg) => arg.split(/\s+/).filter(Boolean));
    return words.some((word, at) => mayInstall({ command: word, args: words.slice(at + 1) }));
  }
  return args.some((arg) => WITH_WORD[name]?.includes(arg) ?? false);
}
