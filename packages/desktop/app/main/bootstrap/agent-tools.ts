import type { FileChanges } from '../services/agent-core/engine/tinyelf/changes/FileChanges.ts';
import { judgePath } from '../services/agent-core/engine/tinyelf/safety/path-rules.ts';
import type { ToolSource } from '../services/agent-core/engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import { createConnectMcpTool } from '../services/agent-core/engine/tinyelf/tools/connect-mcp.ts';
import { createFileTools, FileVersions } from '../services/agent-core/engine/tinyelf/tools/files/index.ts';
import { createNotifyTool, type NotifyOptions } from '../services/agent-core/engine/tinyelf/tools/notify.ts';
import { createShellTools } from '../services/agent-core/engine/tinyelf/tools/shell/create-shell-tools.ts';
import { createTodoTool } from '../services/agent-core/engine/tinyelf/tools/todo.ts';
import { createWebTools } from '../services/agent-core/engine/tinyelf/tools/web/create-web-tools.ts';
import type { McpService } from '../services/capabilities/tools/mcp-users/McpService.ts';
import type { ProcessPort } from '../services/ports/processes.ts';

export type ShowNotice = NotifyOptions['notify'];

export interface AgentToolsOptions {
  changes: FileChanges;
  mcp: McpService;
  processes: ProcessPort;
  notify: ShowNotice;
  /** The person's home folder. */
  home: string;
  /** Folders of the app's own data. */
  appFolders: string[];
}

/** Runs whose read files are remembered; the one that was longest unused is forgotten first. */
const MAX_REMEMBERED = 100;

/** The built-in tools of the agent, one line for each part. */
export function agentTools({ changes, mcp, processes, notify, home, appFolders }: AgentToolsOptions): ToolSource[] {
  const versionsOf = rememberedVersions();
  return [
    ({ conversationId, workspace }) =>
      createFileTools({
        workspace,
        changes,
        conversationId,
        versions: versionsOf(conversationId),
        mayRead: (real) =>
          judgePath(real, true, 'read', { root: workspace.root, home, appFolders, platform: process.platform })
            .decision === 'allow',
      }),
    ({ workspace }) => createShellTools({ workspace, processes }),
    () => createWebTools({}),
    () => [createTodoTool(), createNotifyTool({ notify }), createConnectMcpTool({ mcp })],
  ];
}

/** What a run has read counts for all its turns. */
function rememberedVersions(): (conversationId: string) => FileVersions {
  const remembered = new Map<string, FileVersions>();
  return (conversationId) => {
    const versions = remembered.get(conversationId) ?? new FileVersions();
    remembered.delete(conversationId);
    remembered.set(conversationId, versions);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    return versions;
  };
}
