import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';

type Open = { type: 'promptString'; id: string; description: string; password: true };

/**
 * Servers as `mcpServers` JSON, which most programs read. Without `secrets` each value of a variable or a header is left
 * open as `${input:…}`, with VS Code's `inputs` that say what it is.
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
  const entries = servers.map(({ name, type, config }) => [
    name,
    type === 'stdio'
      ? { command: config.command, args: config.args ?? [], cwd: config.cwd, env: values(name, config.env) }
      : { type, url: config.url, headers: values(name, config.headers) },
  ]);
  const mcpServers = Object.fromEntries(entries);
  return `${JSON.stringify(inputs.length > 0 ? { mcpServers, inputs } : { mcpServers }, undefined, 2)}\n`;
}
