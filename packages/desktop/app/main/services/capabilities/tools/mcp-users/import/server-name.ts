import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { LAUNCHERS } from './launchers.ts';

/** Options of launchers that take a value, which is not the name of a package or an image. */
const WITH_VALUE = new Set(
  (
    '-e --env --env-file -v --volume --mount --name -p --publish --network --net -u --user -w --workdir -l --label ' +
    '--entrypoint --platform --add-host --memory --cpus --from --with --python --package --directory --project'
  ).split(' '),
);

/** A name for a server that came without one: its package, image or host. */
export function nameFor({ command, args = [], url }: Pick<McpServerConfig, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) return (URL.canParse(url) && new URL(url).hostname) || 'server';
  if (command === undefined) return 'server';
  const program = baseName(command);
  return (LAUNCHERS.has(program.toLowerCase()) && baseName(mainArgument(args))) || program || 'server';
}

/** The first argument that isn't an option, a value of one, or the launcher's own word such as `run`. */
function mainArgument(args: readonly string[]): string {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (WITH_VALUE.has(arg)) at += 1;
    else if (!/^(-|run$|exec$|dlx$|tool$|\/c$|npx$|uvx$)/i.test(arg))
      return /^[@\w./\\:-]+(@[\w.^~-]+)?$/.test(arg) ? arg : '';
  }
  return '';
}

/** `@scope/server-demo@1.2` → `server-demo`; `ghcr.io/x/tool:latest` → `tool`; `C:\a\b.exe` → `b`. */
const baseName = (text: string): string =>
  (text.split(/[\\/]/).at(-1) ?? '').replace(/(?<=.)[@:].*$/, '').replace(/\.(exe|cmd|bat|js|mjs|cjs|py|ts)$/i, '');
