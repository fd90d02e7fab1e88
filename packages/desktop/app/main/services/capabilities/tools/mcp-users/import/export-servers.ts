import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';
import { replaceSecrets, secretInArgument } from '../redact.ts';

type Open = { type: 'promptString'; id: string; description: string; password: true };

/**
 * Servers as `mcpServers` JSON, which most programs read. Without `secrets` each value of a variable or a header, and what
 * looks like a secret in an argument or a URL, is left open as `${input:…}`, with VS Code's `inputs` that say what it is.
 */
export function toMcpServersJson(servers: readonly McpServerRecord[], options: { secrets: boolean }): string {
  const inputs: Open[] = [];
  const leaveOpen = (server: string, name: string) => {
    const id = `${server}-${name}`.replace(/[^\w.-]+/g, '-').slice(0, 180);
    const free = inputs.some((input) => input.id === id) ? `${id}-${inputs.length}` : id;
    inputs.push({ type: 'promptString', id: free, description: `${name} of ${server}`, password: true });
    return `\${input:${free}}`;
  };
  const values = (server: string, map: Record<string, string> = {}) => {
    const entries = Object.entries(map);
    if (entries.length === 0) return undefined;
    return Object.fromEntries(
      entries.map(([name, value]) => [name, options.secrets ? value : leaveOpen(server, name)]),
    );
  };
  const text = (server: string, name: string, value: string) =>
    options.secrets ? value : replaceSecrets(value, () => leaveOpen(server, name));
  const argument = (server: string, arg: string, before: string | undefined) => {
    const secret = options.secrets ? undefined : secretInArgument(arg, before);
    if (secret === undefined) return text(server, 'argument', arg);
    const own = arg.slice(0, -secret.length);
    return own + leaveOpen(server, (own || before || 'argument').replace(/^-+|=$/g, ''));
  };
  const entries = servers.map(({ name, type, config }) => [
    name,
    type === 'stdio'
      ? {
          command: config.command,
          args: (config.args ?? []).map((arg, at, args) => argument(name, arg, args[at - 1])),
          cwd: config.cwd,
          env: values(name, config.env),
        }
      : { type, url: config.url && text(name, 'URL', config.url), headers: values(name, config.headers) },
  ]);
  const mcpServers = Object.fromEntries(entries);
  return `${JSON.stringify(inputs.length > 0 ? { mcpServers, inputs } : { mcpServers }, undefined, 2)}\n`;
}
