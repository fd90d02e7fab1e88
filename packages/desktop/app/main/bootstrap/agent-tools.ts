import type { FileChanges } from '../services/agent-core/engine/tinyelf/changes/FileChanges.ts';
import { judgePath } from '../services/agent-core/engine/tinyelf/safety/path-rules.ts';
import { isHarmlessDevice } from '../services/agent-core/engine/tinyelf/safety/system-paths.ts';
import type { ToolSource } from '../services/agent-core/engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import { createConnectMcpTool } from '../services/agent-core/engine/tinyelf/tools/connect-mcp.ts';
import { createFileTools, FileVersions } from '../services/agent-core/engine/tinyelf/tools/files/index.ts';
import { createNotifyTool, type NotifyOptions } from '../services/agent-core/engine/tinyelf/tools/notify.ts';
import { createShellTools } from '../services/agent-core/engine/tinyelf/tools/shell/create-shell-tools.ts';
import { createTodoTool } from '../services/agent-core/engine/tinyelf/tools/todo.ts';
import { createWebTools } from '../services/agent-core/engine/tinyelf/tools/web/create-web-tools.ts';
import { isInside } from '../services/agent-core/engine/tinyelf/workspace.ts';
import type { McpService } from '../services/capabilities/tools/mcp-users/McpService.ts';
import type { ProcessPort } from '../services/ports/processes.ts';

export type ShowNotice = NotifyOptions['notify'];

export interface AgentToolsOptions {
  changes: FileChanges;
  mcp: McpService;
  processes: ProcessPort;
  notify: ShowNotice;
  /** Hosts that a run may open although they aren't on the public internet. */
  allowedHostsOf: (conversationId: string) => ReadonlySet<string>;
  /** The person's home folder, links followed. */
  home: string;
  /** Folders of the app's own data, links followed. */
  appFolders: string[];
}

/** Runs of which something is remembered; the one that was longest unused is forgotten first. */
const MAX_REMEMBERED = 100;

/** The built-in tools of the agent, one line for each part. */
export function agentTools(options: AgentToolsOptions): ToolSource[] {
  const { changes, mcp, processes, notify, allowedHostsOf, home, appFolders } = options;
  const versionsOf = rememberedOf(() => new FileVersions());
  return [
    ({ conversationId, workspace }) =>
      createFileTools({
        workspace,
        changes,
        conversationId,
        versions: versionsOf(conversationId),
        judge: (real, use) => judge(workspace.root, real, use, { home, appFolders }),
      }),
    ({ workspace }) => createShellTools({ workspace, processes }),
    ({ conversationId }) => createWebTools({ allowedHosts: allowedHostsOf(conversationId) }),
    () => [createTodoTool(), createNotifyTool({ notify }), createConnectMcpTool({ mcp })],
  ];
}

/** What the firewall's rules say of an absolute path, links followed. */
export const judge = (
  root: string,
  real: string,
  use: 'read' | 'write',
  folders: Pick<AgentToolsOptions, 'home' | 'appFolders'>,
) =>
  isHarmlessDevice(real)
    ? 'allow'
    : judgePath(real, isInside(root, real), use, { root, ...folders, platform: process.platform }).decision;

/** Something that a run has for all its turns, until the app ends. */
export function rememberedOf<Value>(make: () => Value): (conversationId: string) => Value {
  const remembered = new Map<string, Value>();
  return (conversationId) => {
    const value = remembered.get(conversationId) ?? make();
    remembered.delete(conversationId);
    remembered.set(conversationId, value);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return value;
  };
}
