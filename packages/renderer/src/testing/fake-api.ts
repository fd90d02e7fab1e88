import type { Notice } from '@shared/contracts/app.contract.ts';
import type { Envelope } from '@shared/contracts/contract.ts';
import type { Api, AppEvent, EventBatch } from '@shared/contracts/index.ts';
import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Conversation, Message } from '@shared/contracts/message-types.ts';
import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '@shared/contracts/settings.contract.ts';
import { emptyAgentState, type FakeAgentState, fakeAgentCalls } from './fake-agent.ts';

export interface FakeState extends FakeAgentState {
  settings: Settings;
  providers: ProviderView[];
  servers: McpServerStatus[];
  tools: Record<string, MCPTool[]>;
  conversations: Conversation[];
  messages: Record<string, Message[]>;
  running: Set<string>;
  notices: Notice[];
}

export interface FakeApi {
  api: Api;
  state: FakeState;
  /** Every call in order: `['completion.stop', input]`. */
  calls: [string, unknown][];
  /** Sends a batch with the next sequence number; `skip` loses that many before it. */
  emit(events: AppEvent[], skip?: number): void;
  /** The sequence number of the last batch. */
  seq(): number;
  /** Answers the named call (`domain.call`) by `handler` from now on. */
  on(call: string, handler: (input: never) => unknown): void;
}

/** Main, as far as the renderer can tell: for tests, and for looking at the renderer in a browser. */
export function createFakeApi(initial: Partial<FakeState> = {}): FakeApi {
  const state: FakeState = {
    settings: { ...DEFAULT_SETTINGS },
    providers: [demoProvider],
    servers: [],
    tools: {},
    conversations: [],
    messages: {},
    running: new Set(),
    notices: [],
    ...emptyAgentState(),
    ...initial,
  };
  const calls: [string, unknown][] = [];
  const handlers = new Map<string, (input: never) => unknown>();
  const listeners = new Set<(batch: EventBatch) => void>();
  let seq = 0;
  let created = 0;

  const find = (id: string): Conversation => {
    const conversation = state.conversations.find((candidate) => candidate.id === id);
    if (!conversation) throw { code: 'not-found', message: 'This conversation no longer exists.' };
    return conversation;
  };
  const change = (id: string, values: Partial<Conversation>): Conversation => Object.assign(find(id), values);

  const defaults: Record<string, (input: never) => unknown> = {
    'app.info': () => ({
      version: '0.1.0',
      platform: 'linux',
      dataPath: '/home/ada/.config/TinyElf',
      logsPath: '/home/ada/.config/TinyElf/logs',
      samplePath: '/home/ada/.config/TinyElf/sample',
      secretStorage: 'strong',
    }),
    'app.notices': () => state.notices,
    'settings.get': () => state.settings,
    'settings.set': (values: Partial<Settings>) => {
      state.settings = { ...state.settings, ...values };
      return state.settings;
    },
    'settings.listAlwaysAllowed': () => [],
    'providers.list': () => state.providers,
    'providers.presets': () => [],
    'mcp.list': () => state.servers,
    'mcp.tools': ({ serverId }: { serverId: string }) => ({ tools: state.tools[serverId] ?? [], rejected: [] }),
    'mcpImport.scan': () => ({ scanId: 'scan', sources: [], programs: ['Claude Desktop', 'Cursor'] }),
    'mcpTools.overview': ({ serverId }: { serverId: string }) =>
      (state.tools[serverId] ?? []).map(({ name }) => ({
        name,
        enabled: true,
        policy: 'ask',
        allowedBefore: false,
        tokens: 40,
        renamed: false,
        warnings: [],
      })),
    'mcpTools.costs': () => ({ tokens: 0, toolCount: 0, maxTools: 128, servers: [] }),
    'mcpTools.check': () => [],
    'mcpRequests.list': () => [],
    'mcpRequests.grants': () => ({ roots: [], logLevel: null }),
    'mcpContent.resources': () => ({ supported: false, resources: [], templates: [], rejected: [] }),
    'mcpContent.prompts': () => ({ supported: false, prompts: [], rejected: [] }),
    'mcpContent.complete': () => ({ values: [], hasMore: false }),
    'mcpContent.watch': () => ({ following: false }),
    // As in main, whoever has read everything waits for more.
    'mcpLog.read': ({ after }: { after?: number }) =>
      after === undefined ? { entries: [], latest: 0, recording: false } : new Promise(() => {}),
    'mcpBuiltin.offers': () => [
      { builtin: 'folders', added: false },
      { builtin: 'memory', added: false },
      { builtin: 'files', added: true },
    ],
    'mcpBuiltin.chooseFolders': () => [],
    'oauth.list': () => [],
    'conversations.list': () => state.conversations,
    'conversations.create': ({ model }: { model: Conversation['model'] }) => {
      created += 1;
      const now = Date.now();
      const conversation = { id: `new-${created}`, title: 'New chat', model, createdAt: now, updatedAt: now };
      state.conversations.push(conversation);
      state.messages[conversation.id] = [];
      return { ...conversation };
    },
    'conversations.rename': ({ conversationId, title }: { conversationId: string; title: string }) =>
      change(conversationId, { title }),
    'conversations.setModel': ({ conversationId, model }: { conversationId: string; model: Conversation['model'] }) =>
      change(conversationId, { model }),
    'conversations.restore': ({ conversationId }: { conversationId: string }) => find(conversationId),
    'conversations.open': ({ conversationId }: { conversationId: string }) => ({
      conversation: find(conversationId),
      messages: state.messages[conversationId] ?? [],
      running: state.running.has(conversationId),
      seq,
    }),
    'completion.chatInSession': () => ({ messageId: 'sent' }),
    ...fakeAgentCalls(state, change),
  };

  const answer = async (call: string, input: unknown): Promise<Envelope<unknown>> => {
    calls.push([call, input]);
    const handler = handlers.get(call) ?? defaults[call];
    try {
      // What crosses the bridge is a copy.
      return { ok: true, value: structuredClone(await handler?.(input as never)) };
    } catch (thrown) {
      return { ok: false, error: thrown as { code: 'internal'; message: string } };
    }
  };

  const domain = (name: string) =>
    new Proxy({}, { get: (_target, call) => (input: unknown) => answer(`${name}.${String(call)}`, input) });

  return {
    api: {
      ...Object.fromEntries(
        [
          'agent',
          'app',
          'completion',
          'conversations',
          'mcp',
          'mcpBuiltin',
          'mcpContent',
          'mcpImport',
          'mcpLog',
          'mcpRequests',
          'mcpTools',
          'oauth',
          'providers',
          'results',
          'settings',
        ].map((name) => [name, domain(name)]),
      ),
      subscribe(listener: (batch: EventBatch) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as Api,
    state,
    calls,
    emit(events, skip = 0) {
      seq += 1 + skip;
      for (const listener of listeners) listener({ seq, events: structuredClone(events) });
    },
    seq: () => seq,
    on: (call, handler) => handlers.set(call, handler),
  };
}

export const demoProvider: ProviderView = {
  id: 'demo',
  preset: 'demo',
  name: 'Demo',
  format: 'demo',
  baseUrl: null,
  models: [{ id: 'demo', name: 'Demo model' }],
  enabled: true,
  keyState: 'not-needed',
};
