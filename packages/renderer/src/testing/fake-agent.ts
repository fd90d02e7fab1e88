import type { AgentPreset, AgentRun, FileChange } from '@shared/contracts/agent-types.ts';
import type { Conversation, Message } from '@shared/contracts/message-types.ts';
import type { AgentTool } from '../stores/agent.ts';

export interface FakeAgentState {
  presets: AgentPreset[];
  agentTools: AgentTool[];
  workspaces: string[];
  /** By conversation. */
  changes: Record<string, FileChange[]>;
  /** Unified diffs by change. */
  diffs: Record<string, string>;
}

interface State extends FakeAgentState {
  conversations: Conversation[];
  messages: Record<string, Message[]>;
  running: Set<string>;
}

export const emptyAgentState = (): FakeAgentState => ({
  presets: [preset('assistant'), preset('coder'), preset('researcher')],
  agentTools: TOOLS.map((tool) => ({ ...tool })),
  workspaces: [],
  changes: {},
  diffs: {},
});

const TOOLS: AgentTool[] = [
  { name: 'Read', description: 'Reads a file.', changes: false },
  { name: 'ListDir', description: 'Lists a folder.', changes: false },
  { name: 'Glob', description: 'Finds files by a pattern of their names.', changes: false },
  { name: 'Grep', description: 'Searches text in files.', changes: false },
  { name: 'Write', description: 'Writes a whole file.', changes: true },
  { name: 'Edit', description: 'Replaces text in a file.', changes: true },
  { name: 'Bash', description: 'Runs a command.', changes: true },
  { name: 'WebFetch', description: 'Reads a page of the web.', changes: false },
  { name: 'TodoWrite', description: 'Keeps a list of what is to be done.', changes: false },
  { name: 'Notify', description: 'Shows a notification.', changes: false },
];

const SHIPPED: Record<string, Partial<AgentPreset>> = {
  assistant: { name: 'Assistant', description: 'A chat with tools of your servers.', tools: ['TodoWrite', 'Notify'] },
  coder: {
    name: 'Coder',
    description: 'Works on the files of a folder and runs commands there.',
    tools: ['Read', 'ListDir', 'Glob', 'Grep', 'Write', 'Edit', 'Bash', 'TodoWrite'],
    tokenBudget: 500_000,
  },
  researcher: {
    name: 'Researcher',
    description: 'Reads pages and files, and remembers what it found.',
    tools: ['Read', 'ListDir', 'Glob', 'Grep', 'WebFetch', 'TodoWrite'],
    servers: ['memory'],
  },
};

export const preset = (id: string, values: Partial<AgentPreset> = {}): AgentPreset => ({
  id,
  name: id,
  description: '',
  shipped: id in SHIPPED,
  systemPrompt: 'You work in a folder.',
  model: null,
  tools: ['Read', 'Edit', 'Bash'],
  mcpTools: true,
  servers: [],
  mode: 'ask',
  guardian: 'off',
  maxRounds: 50,
  tokenBudget: null,
  ...SHIPPED[id],
  ...values,
});

export const agentRun = (values: Partial<AgentRun> = {}): AgentRun => ({
  preset: preset('coder'),
  workspace: '/home/ada/projects/tea',
  goal: 'Fix the tests',
  mode: 'ask',
  ...values,
});

export const fileChange = (id: string, values: Partial<FileChange> = {}): FileChange => ({
  id,
  callId: 'call-1',
  path: 'src/brew.ts',
  kind: 'edited',
  added: 3,
  removed: 1,
  at: 1,
  undone: false,
  ...values,
});

type Calls = Record<string, (input: never) => unknown>;

/** The domain `agent`, as main would answer it. */
export function fakeAgentCalls(
  state: State,
  change: (id: string, values: Partial<Conversation>) => Conversation,
): Calls {
  let made = 0;
  const find = (conversationId: string, changeId: string): FileChange => {
    const found = state.changes[conversationId]?.find(({ id }) => id === changeId);
    if (!found) throw { code: 'not-found', message: 'This change is not known any more.' };
    return found;
  };
  return {
    'agent.presets': () => state.presets,
    'agent.tools': () => state.agentTools,
    'agent.savePreset': (input: Omit<AgentPreset, 'id' | 'shipped'> & { id?: string }) => {
      const others = state.presets.filter(({ id }) => id !== input.id);
      if (others.some(({ name }) => name === input.name)) throw { code: 'name-taken', message: 'The name is taken.' };
      made += 1;
      const saved: AgentPreset = { ...input, id: input.id ?? `own-${made}`, shipped: false };
      state.presets = [...others, saved];
      return saved;
    },
    'agent.removePreset': ({ presetId }: { presetId: string }) => {
      state.presets = state.presets.filter(({ id }) => id !== presetId);
    },
    'agent.chooseWorkspace': () => null,
    'agent.recentWorkspaces': () => state.workspaces,
    'agent.start': (
      input: Pick<AgentRun, 'workspace' | 'goal' | 'mode'> & Pick<Conversation, 'model'> & { presetId: string },
    ) => {
      made += 1;
      const now = Date.now();
      const { model, presetId, workspace, goal, mode } = input;
      const chosen = state.presets.find(({ id }) => id === presetId);
      if (!chosen) throw { code: 'not-found', message: 'This agent no longer exists.' };
      const conversation: Conversation = {
        id: `run-${made}`,
        title: goal.slice(0, 60),
        model,
        agent: { preset: chosen, workspace, goal, mode },
        createdAt: now,
        updatedAt: now,
      };
      state.conversations.push(conversation);
      state.messages[conversation.id] = [];
      state.running.add(conversation.id);
      return conversation;
    },
    'agent.setMode': ({ conversationId, mode }: Pick<AgentRun, 'mode'> & { conversationId: string }) => {
      const run = state.conversations.find(({ id }) => id === conversationId)?.agent;
      if (!run) throw { code: 'not-found', message: 'This run no longer exists.' };
      return change(conversationId, { agent: { ...run, mode } });
    },
    'agent.say': ({ conversationId }: { conversationId: string }) => {
      if (!state.running.has(conversationId)) throw { code: 'not-running', message: 'The run has ended.' };
    },
    'agent.changes': ({ conversationId }: { conversationId: string }) => state.changes[conversationId] ?? [],
    'agent.preview': ({ callId }: { callId: string }) => state.diffs[callId] ?? '',
    'agent.diff': ({ changeId }: { changeId: string }) => state.diffs[changeId] ?? '',
    'agent.undo': ({ conversationId, changeId }: { conversationId: string; changeId: string }) =>
      Object.assign(find(conversationId, changeId), { undone: true }),
  };
}
