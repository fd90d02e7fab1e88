import { homedir } from 'node:os';
import type { AgentServer } from '@shared/contracts/agent-types.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import { AgentService, type RunMessages } from '../services/agent-core/AgentService.ts';
import type { FileChanges } from '../services/agent-core/engine/tinyelf/changes/FileChanges.ts';
import { createSafety } from '../services/agent-core/engine/tinyelf/safety/createSafety.ts';
import { real } from '../services/agent-core/engine/tinyelf/safety/ExecutionFirewall.ts';
import {
  TinyElfEngine,
  type TurnApprovals,
  type TurnPlace,
} from '../services/agent-core/engine/tinyelf/TinyElfEngine.ts';
import { TinyElfToolRegistryBuilder } from '../services/agent-core/engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import {
  type DirectMcpHost,
  loadDirectMcpTools,
  type ResolvedMcpServer,
} from '../services/agent-core/engine/tinyelf/tools/DirectMcpToolAdapter.ts';
import { McpProcessTracker } from '../services/agent-core/engine/tinyelf/tools/McpProcessTracker.ts';
import { PresetStore } from '../services/agent-core/PresetStore.ts';
import { type BuiltinPlaces, builtinConfig } from '../services/capabilities/tools/mcp-users/builtin/builtin-config.ts';
import type { McpService } from '../services/capabilities/tools/mcp-users/McpService.ts';
import type { ConversationStore } from '../services/ports/conversations.ts';
import { toErrorInfo } from '../services/ports/errors.ts';
import type { EventSink } from '../services/ports/events.ts';
import type { ModelPort } from '../services/ports/model.ts';
import type { FailedServer } from '../services/ports/tools.ts';
import type { WholeResults } from '../services/ports/whole-results.ts';
import type { Approvals } from '../services/turn/approval.ts';
import { agentTools, judge, rememberedOf, type ShowNotice } from './agent-tools.ts';
import type { Platform, PostNotice } from './platform.ts';

export interface AgentOptions {
  platform: Pick<Platform, 'paths' | 'logger' | 'openDocument' | 'processes'>;
  conversations: ConversationStore;
  mcp: McpService;
  approvals: Approvals;
  /** The journal of what runs change in files. */
  changes: FileChanges;
  results: WholeResults;
  events: EventSink;
  post: PostNotice;
  messages: RunMessages;
  openModel: (model: ModelRef) => ModelPort | Promise<ModelPort>;
  /** Where the servers that come with the app are. */
  places: BuiltinPlaces;
  clientInfo: { name: string; version: string };
  notify: ShowNotice;
  /** Folder with the presets that come with the app. */
  presetsFolder: string;
}

/** Puts the agent together. Nothing is started by this. */
export function createAgent(options: AgentOptions) {
  const { platform, conversations, mcp, approvals, changes, results, events, post, messages, presetsFolder } = options;
  const { paths, logger, openDocument, processes } = platform;

  const allowedHostsOf = rememberedOf(() => new Set<string>());
  const folders = { home: real(homedir()), appFolders: [real(paths.data)] };
  const builder = new TinyElfToolRegistryBuilder(
    agentTools({
      changes,
      mcp,
      processes,
      notify: options.notify,
      allowedHostsOf,
      ...folders,
    }),
  );

  const approvalsFor = ({ conversationId, workspace, agent, toolOf }: TurnPlace): TurnApprovals => {
    const { mode, preset } = agent;
    return createSafety({
      workspace,
      appFolders: [paths.data],
      approvals,
      toolOf,
      allowedHosts: allowedHostsOf(conversationId),
      mode: () => conversations.get(conversationId)?.agent?.mode ?? mode,
      guardian: {
        mode: preset.guardian,
        openModel: async () => {
          const model = conversations.get(conversationId)?.model;
          if (!model) throw new Error('The run has no model.');
          return { model: await options.openModel(model), modelId: model.modelId };
        },
      },
    });
  };

  const host: DirectMcpHost = { processes, clientInfo: options.clientInfo, logger };
  const openServers = async (names: readonly AgentServer[], signal: AbortSignal) => {
    const failed: FailedServer[] = [];
    const servers = names.map((name) => resolveServer(name, options.places, host));
    const { tools, connections } = await loadDirectMcpTools(servers, {
      signal,
      onFailure: (name, thrown) => {
        const error = toErrorInfo(thrown);
        logger.warn('A server of a run could not be started', { server: name, error });
        failed.push({ name, error });
      },
    });
    const tracker = McpProcessTracker.getInstance();
    return {
      tools,
      failed,
      close: async () => {
        await Promise.all(connections.map((connection) => tracker.closeConnection(connection)));
      },
    };
  };

  const engine = new TinyElfEngine({
    builder,
    mcpService: mcp,
    openServers,
    approvalsFor,
    mayRead: (workspace, real) => judge(workspace.root, real, 'read', folders) === 'allow',
    clock: Date,
    logger,
    results,
  });

  const presets = new PresetStore({
    document: openDocument(paths.agentPresets),
    folder: presetsFolder,
    events,
    logger,
    onSkipped: (names) => {
      for (const name of names) post('record-skipped', { name });
    },
  });
  const service = new AgentService({
    store: conversations,
    presets,
    messages,
    changes,
    events,
    builder,
    onModeChanged: (conversationId) => engine.modeChanged(conversationId),
  });
  return { engine, service };
}

/** A server that comes with the app, as the engine runs it for the time of a turn. */
function resolveServer(name: AgentServer, places: BuiltinPlaces, host: DirectMcpHost): ResolvedMcpServer {
  const config = builtinConfig(name, {}, places);
  if (!config?.command) throw new Error(`There is no server ${name}.`);
  const { command, args = [], env, cwd } = config;
  return { name, builtin: name, command, args, env, cwd, host };
}
