import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import type { AppPaths } from '../platform/paths.ts';
import { ResultFiles } from '../platform/storage/result-files.ts';
import { setFileAside, wasSetAside } from '../platform/storage/set-aside.ts';
import { SharedJsonFile } from '../platform/storage/shared-json-file.ts';
import { FileChanges } from '../services/agent-core/engine/tinyelf/changes/FileChanges.ts';
import { BuiltinServers } from '../services/capabilities/tools/mcp-users/builtin/BuiltinServers.ts';
import { type BuiltinPlaces, builtinConfig } from '../services/capabilities/tools/mcp-users/builtin/builtin-config.ts';
import { McpContent } from '../services/capabilities/tools/mcp-users/content/McpContent.ts';
import { type ExportPlaces, McpImport } from '../services/capabilities/tools/mcp-users/import/McpImport.ts';
import { McpLog } from '../services/capabilities/tools/mcp-users/log/McpLog.ts';
import { McpService } from '../services/capabilities/tools/mcp-users/McpService.ts';
import { OAuthService } from '../services/capabilities/tools/mcp-users/oauth/OAuthService.ts';
import { ServerGrants } from '../services/capabilities/tools/mcp-users/server-requests/ServerGrants.ts';
import { ServerRequests } from '../services/capabilities/tools/mcp-users/server-requests/ServerRequests.ts';
import { ToolPlayground } from '../services/capabilities/tools/mcp-users/ToolPlayground.ts';
import { ToolSettings } from '../services/capabilities/tools/mcp-users/ToolSettings.ts';
import { CompletionService } from '../services/completion/CompletionService.ts';
import { ChatEngine } from '../services/completion/chat-engine.ts';
import { dispatchEngine } from '../services/completion/dispatch-engine.ts';
import { SqliteConversationStore } from '../services/conversations/SqliteConversationStore.ts';
import type { EventSink } from '../services/ports/events.ts';
import type { SecretBox } from '../services/ports/infrastructure.ts';
import { createDemoModel } from '../services/providers/demo/demo-model.ts';
import { createModelPort, listModels } from '../services/providers/index.ts';
import { ProviderService } from '../services/providers/ProviderService.ts';
import type { SettingsService } from '../services/settings/SettingsService.ts';
import { Approvals } from '../services/turn/approval.ts';
import { createAgent } from './agent.ts';
import type { ShowNotice } from './agent-tools.ts';
import type { Platform, PostNotice } from './platform.ts';

/** What the app is called towards servers. */
const APP_NAME = 'TinyElf';

export interface ServicesOptions {
  platform: Platform;
  secrets: SecretBox;
  settings: SettingsService;
  events: EventSink;
  post: PostNotice;
  version: string;
  exportPlaces: ExportPlaces;
  /** Shows a notification of the system; false where there are none. */
  notify: ShowNotice;
  /** Folder with the presets that come with the app. */
  presetsFolder: string;
  /** Asks for a folder with the system's dialog; undefined when the person cancels. */
  chooseFolder: () => Promise<string | undefined>;
  /** The same for several; empty when the person cancels. */
  chooseFolders: () => Promise<string[]>;
  /** Opens a link outside the app; false where it is of a kind that is never opened. */
  openExternal: (url: string) => Promise<boolean>;
}

export type Services = ReturnType<typeof createServices>;

/** Puts the services together. Nothing is started or sent by this. */
export function createServices(options: ServicesOptions) {
  const { platform, secrets, settings, events, post, version, exportPlaces, openExternal } = options;
  const { paths, logger, openDocument, processes, fetch, redactor } = platform;
  const clientInfo = { name: APP_NAME, version };

  const results = new ResultFiles({ folder: paths.results, logger });
  const changes = new FileChanges({ folder: paths.agentChanges, events, logger });
  const conversations = new SqliteConversationStore({
    file: paths.conversations,
    logger,
    clock: Date,
    setAside: (file, reason, companions) => setFileAside(file, reason, Date.now(), companions),
    wasSetAside,
    onSetAside: ({ file, movedTo }) => post('file-set-aside', { file, path: movedTo }),
    onPurge: ({ conversationId, resultIds }) => {
      for (const id of resultIds) results.remove(id);
      changes.forget(conversationId);
    },
  });

  const requests = new ServerRequests({
    events,
    clock: Date,
    openModel: (model) => providers.modelPort(model),
    openExternal,
  });
  const grants = new ServerGrants({
    store: openDocument(paths.serverGrants),
    chooseFolder: options.chooseFolder,
    onError: (error) => logger.error('A listener of the grants failed', { error: String(error) }),
  });

  const oauth: OAuthService = new OAuthService({
    store: new SharedJsonFile({
      file: paths.signIns,
      logger,
      onSetAside: ({ file, movedTo }) => post('file-set-aside', { file, path: movedTo }),
    }),
    secrets,
    fetch,
    logger,
    appName: APP_NAME,
    openExternal,
    servers: () => mcp.listServers(),
    restart: (serverId) => mcp.restart(serverId),
    onChange: (payload) => events.emit({ type: 'oauth.changed', payload }),
    onSecret: (value) => redactor.add(value),
  });
  const mcp: McpService = new McpService({
    person: { requests, grants },
    store: openDocument(paths.servers),
    secrets,
    processes,
    fetch,
    logger,
    clientInfo,
    oauth,
    resolveBuiltin: (name, chosen) => builtinConfig(name, chosen, builtinPlaces(paths)),
  });
  // Servers that can't be read stay in the store, and so does what they were granted.
  if (mcp.recordProblems.length === 0) grants.keepOnly(mcp.listServers().map(({ server }) => server.id));
  for (const { name } of mcp.recordProblems) post('record-skipped', { name });
  mcp.events.on('state', (payload) => events.emit({ type: 'mcp.stateChanged', payload }));
  mcp.events.on('tools', (payload) => events.emit({ type: 'mcp.toolsChanged', payload }));
  mcp.events.on('servers', (payload) => {
    events.emit({ type: 'mcp.serversChanged', payload });
    void oauth
      .keepOnly(new Set(payload.servers.map(({ server }) => server.id)))
      .catch((error) => logger.error('Sign-ins of removed servers could not be forgotten', { error: String(error) }));
  });

  const machine = { platform: process.platform, home: homedir(), env: process.env };
  const mcpImport = new McpImport(mcp, machine, exportPlaces);
  const content = new McpContent(mcp, events);
  const mcpLog = new McpLog({ logOf: (serverId) => mcp.logOf(serverId) });
  const builtins = new BuiltinServers({ mcp, chooseFolders: options.chooseFolders });

  const providers = new ProviderService({
    document: openDocument(paths.providers),
    secrets,
    fetch,
    events,
    logger,
    createModelPort,
    listModels,
    demo: createDemoModel(),
    onSecret: (value) => redactor.add(value),
    onSkipped: (names) => {
      for (const name of names) post('record-skipped', { name });
    },
  });

  const approvals = new Approvals({
    store: openDocument(paths.approvals),
    serverIdentity: (serverId) => identityOf(mcp, serverId),
    logger,
  });

  const toolSettings = new ToolSettings({ mcp, policies: approvals, events });
  const playground = new ToolPlayground({ pool: mcp, settings: toolSettings, events, results });

  const agent = createAgent({
    platform,
    conversations,
    mcp,
    approvals,
    changes,
    results,
    events,
    post,
    openModel: (model) => providers.modelPort(model),
    places: builtinPlaces(paths),
    clientInfo,
    notify: options.notify,
    presetsFolder: options.presetsFolder,
    messages: {
      chatInSession: (conversationId, message) => completion.chatInSession(conversationId, message),
      say: (conversationId, text) => completion.say(conversationId, text),
      liveMessages: (conversationId) => completion.liveMessages(conversationId),
    },
  });
  const chat = new ChatEngine({ mcpService: mcp, approvals, clock: Date, logger, results });
  const completion: CompletionService = new CompletionService({
    engineOf: dispatchEngine({ chat, agent: agent.engine }),
    readAttachments: (requests, signal) => content.readAttachments(requests, signal),
    store: conversations,
    approvals,
    openModel: (model) => providers.modelPort(model),
    events,
    clock: Date,
    logger,
  });

  return {
    settings,
    conversations,
    mcp,
    mcpImport,
    mcpLog,
    builtins,
    content,
    requests,
    grants,
    oauth,
    providers,
    approvals,
    toolSettings,
    playground,
    completion,
    agent: agent.service,
    results,
    /** Removes what belongs to runs that are gone. Doesn't throw. */
    forgetGoneRuns: () => changes.keepOnly(() => conversations.storedIds()),
  };
}

/** The servers that come with the app run on the app's own Node. */
const builtinPlaces = (paths: AppPaths): BuiltinPlaces => ({
  runtime: process.execPath,
  scriptOf: (packageName) => createRequire(import.meta.url).resolve(`${packageName}/dist/index.js`),
  sampleFolder: paths.sample,
  dataFolder: paths.data,
  memoryFile: paths.memory,
});

/** What a server is, apart from its name: what was always allowed is bound to it. */
function identityOf(mcp: McpService, serverId: string): string | undefined {
  const found = mcp.listServers().find(({ server }) => server.id === serverId);
  if (!found) return undefined;
  const { type, builtin, builtinOptions, config } = found.server;
  const identity = [type, builtin, config.command, config.args, config.cwd, config.url];
  return JSON.stringify(builtinOptions ? [...identity, builtinOptions] : identity);
}
