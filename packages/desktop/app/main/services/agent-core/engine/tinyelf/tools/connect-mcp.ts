import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { McpService } from '../../../../capabilities/tools/mcp-users/McpService.ts';
import { nameKey } from '../../../../capabilities/tools/mcp-users/server-config.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { ITool } from './ITool.ts';

export interface ConnectMcpDeps {
  mcp: Pick<McpService, 'listServers' | 'setEnabled' | 'connect' | 'restart' | 'listServerTools'>;
}

const SETTINGS = 'in the settings, under Tool servers';

/**
 * The tool by which a model connects a server that the person has configured, switched on or not. It gives no consent in the
 * person's place: a program that nobody has agreed to isn't started. What it connects stays switched on.
 *
 * Whatever keeps a server from being connected is a result that begins with `Error: ` and says what the person has to do.
 */
export function createConnectMcpTool({ mcp }: ConnectMcpDeps): ITool {
  return {
    name: 'connect_mcp',
    description:
      'Connects one of the MCP servers that the user has configured, by its name. Its tools can be used from the next ' +
      'request on. A name that is not known is answered with the names that are.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the server, as it is configured.' } },
      required: ['name'],
    },
    risk: 'asks',
    access: () => ({}),
    execute: async ({ name }, { signal } = {}) => {
      signal?.throwIfAborted();
      const servers = mcp.listServers();
      const wanted = typeof name === 'string' ? nameKey(name.trim()) : undefined;
      const found = servers.find(({ server }) => nameKey(server.name) === wanted);
      if (!found) return unknownName(name, servers);
      const { id, name: serverName } = found.server;
      if (found.server.enabled && found.state.status === 'ready') {
        return `“${serverName}” is already connected, with ${tools((await mcp.listServerTools(id, { signal })).length)}.`;
      }
      const problem = whatThePersonMustDo(found);
      if (problem) return `Error: ${problem}`;
      try {
        await begin(mcp, found);
        await mcp.connect(id, { signal });
        const listed = await mcp.listServerTools(id, { signal });
        const names = listed.map((tool) => `\n- ${tool.id}`).join('');
        return `Connected “${serverName}”: ${tools(listed.length)}.${names}`;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        const now = mcp.listServers().find(({ server }) => server.id === id);
        const { message, hint, details } = error;
        return `Error: ${(now && whatThePersonMustDo(now)) ?? [message, hint, details].filter(Boolean).join('\n')}`;
      }
    },
  };
}

/** Starts connecting, whatever kept it from being connected before. */
async function begin(mcp: ConnectMcpDeps['mcp'], { server, state }: McpServerStatus): Promise<void> {
  if (!server.enabled) await mcp.setEnabled(server.id, true);
  else if (state.status === 'failed' || state.status === 'waiting-to-retry') mcp.restart(server.id);
}

/** What only the person can do before the server can be connected; undefined when there is nothing. */
function whatThePersonMustDo({ server, state }: McpServerStatus): string | undefined {
  if (!server.consented) {
    return `“${server.name}” starts a program on this computer that the user has not agreed to. The user has to look at its command and agree to it ${SETTINGS}.`;
  }
  if (state.status === 'needs-sign-in') {
    return `“${server.name}” wants the user to sign in. The user has to do that ${SETTINGS}. ${state.error.message} ${state.error.hint ?? ''}`.trim();
  }
  return undefined;
}

/** Names those that the person has agreed to: no other is the model's to connect. */
function unknownName(name: unknown, servers: McpServerStatus[]): string {
  const allowed = servers.filter(({ server }) => server.consented);
  if (allowed.length === 0) {
    return `Error: There is no MCP server to connect. The user can add one, or agree to one, ${SETTINGS}.`;
  }
  const names = allowed.map(({ server }) => `\n- ${server.name}`).join('');
  const asked = typeof name === 'string' && name.trim() !== '' ? `There is no server “${name}”.` : 'A name is needed.';
  return `Error: ${asked} These can be connected:${names}`;
}

const tools = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);
