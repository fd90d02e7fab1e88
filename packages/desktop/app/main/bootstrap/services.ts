import { createRequire } from 'node:module';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { ResultFiles } from '../platform/storage/result-files.ts';
import { setFileAside } from '../platform/storage/set-aside.ts';
import { McpService } from '../services/capabilities/tools/mcp-users/McpService.ts';
import { CompletionService } from '../services/completion/CompletionService.ts';
import { SqliteConversationStore } from '../services/conversations/SqliteConversationStore.ts';
import type { EventSink } from '../services/ports/events.ts';
import type { SecretBox } from '../services/ports/infrastructure.ts';
import { createDemoModel } from '../services/providers/demo/demo-model.ts';
import { createModelPort, listModels } from '../services/providers/index.ts';
import { ProviderService } from '../services/providers/ProviderService.ts';
import type { SettingsService } from '../services/settings/SettingsService.ts';
import { Approvals } from '../services/turn/approval.ts';
import type { Platform, PostNotice } from './platform.ts';

export interface ServicesOptions {
  platform: Platform;
  secrets: SecretBox;
  settings: SettingsService;
  events: EventSink;
  post: PostNotice;
  version: string;
}

export type Services = ReturnType<typeof createServices>;

/** Puts the services together. Nothing is started or sent by this. */
export function createServices({ platform, secrets, settings, events, post, version }: ServicesOptions) {
  const { paths, logger, openDocument, processes, fetch, redactor } = platform;

  const conversations = new SqliteConversationStore({
    file: paths.conversations,
    logger,
    clock: Date,
    setAside: (file, reason, companions) => setFileAside(file, reason, Date.now(), companions),
    onSetAside: ({ file, movedTo }) => post('file-set-aside', { file, path: movedTo }),
  });

  const mcp = new McpService({
    store: openDocument(paths.servers),
    secrets,
    processes,
    fetch,
    logger,
    clientInfo: { name: 'TinyElf', version },
    resolveBuiltin: (name) => builtinServer(name, paths.sample),
  });
  for (const { name } of mcp.recordProblems) post('record-skipped', { name });
  mcp.events.on('state', (payload) => events.emit({ type: 'mcp.stateChanged', payload }));
  mcp.events.on('tools', (payload) => events.emit({ type: 'mcp.toolsChanged', payload }));
  mcp.events.on('log', (payload) => events.emit({ type: 'mcp.log', payload }));
  mcp.events.on('servers', (payload) => events.emit({ type: 'mcp.serversChanged', payload }));

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

  const results = new ResultFiles({ folder: paths.results, logger });

  const completion = new CompletionService({
    results,
    mcpService: mcp,
    store: conversations,
    approvals,
    openModel: (model) => providers.modelPort(model),
    events,
    clock: Date,
    logger,
  });

  return { settings, conversations, mcp, providers, approvals, completion, results };
}

/** The servers that come with the app run on the app's own Node. */
function builtinServer(name: string, sampleFolder: string): McpServerConfig | undefined {
  if (name !== 'files') return undefined;
  const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  return {
    command: process.execPath,
    args: [program, sampleFolder],
    cwd: sampleFolder,
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };
}

/** What a server is, apart from its name: what was always allowed is bound to it. */
function identityOf(mcp: McpService, serverId: string): string | undefined {
  const found = mcp.listServers().find(({ server }) => server.id === serverId);
  if (!found) return undefined;
  const { type, builtin, config } = found.server;
  return JSON.stringify([type, builtin, config.command, config.args, config.cwd, config.url]);
}
