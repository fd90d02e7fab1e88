import type { AgentContract } from '@shared/contracts/agent.contract.ts';
import type { AgentPreset, FileChange, PermissionMode } from '@shared/contracts/agent-types.ts';
import type { CallInput, CallOutput } from '@shared/contracts/contract.ts';
import type { Conversation } from '@shared/contracts/message-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';
import { useConversations } from './conversations.ts';

export type AgentTool = CallOutput<AgentContract, 'tools'>[number];

interface AgentState {
  /** Those of the app first; null until they were asked for. */
  presets: AgentPreset[] | null;
  /** Built-in tools; null until they were asked for. */
  tools: AgentTool[] | null;
  /** Files that a run has changed, oldest first, by conversation; absent until they were asked for. */
  changes: Readonly<Record<string, readonly FileChange[]>>;
  loadPresets(): Promise<void>;
  replacePresets(presets: AgentPreset[]): void;
  loadTools(): Promise<void>;
  loadChanges(conversationId: string): Promise<void>;
  putChange(conversationId: string, change: FileChange): void;
  forgetChanges(conversationId: string): void;
  /** Asks again for what was asked for, as after a loss of events. */
  reload(): Promise<void>;
  /** Begins a run and shows nothing of it yet. */
  start(input: CallInput<AgentContract, 'start'>): Promise<Conversation>;
  setMode(conversationId: string, mode: PermissionMode): Promise<void>;
  say(conversationId: string, text: string): Promise<void>;
  /** Refused with `changed-since` unless `force`. */
  undo(conversationId: string, changeId: string, force: boolean): Promise<void>;
}

/** What runs of the agent need beside their conversation. */
export const useAgent = create<AgentState>()((set, get) => ({
  presets: null,
  tools: null,
  changes: {},
  async loadPresets() {
    set({ presets: await unwrap(api().agent.presets()) });
  },
  replacePresets(presets) {
    set({ presets });
  },
  async loadTools() {
    set({ tools: await unwrap(api().agent.tools()) });
  },
  async loadChanges(conversationId) {
    const listed = await unwrap(api().agent.changes({ conversationId }));
    set(({ changes }) => ({ changes: { ...changes, [conversationId]: listed } }));
  },
  putChange(conversationId, change) {
    set(({ changes }) => {
      const known = changes[conversationId] ?? [];
      const next = known.some(({ id }) => id === change.id)
        ? known.map((other) => (other.id === change.id ? change : other))
        : [...known, change];
      return { changes: { ...changes, [conversationId]: next } };
    });
  },
  forgetChanges(conversationId) {
    set(({ changes: { [conversationId]: _forgotten, ...changes } }) => ({ changes }));
  },
  async reload() {
    const { presets, tools, changes, loadPresets, loadTools, loadChanges } = get();
    await Promise.all([
      presets && loadPresets(),
      tools && loadTools(),
      ...Object.keys(changes).map((conversationId) => loadChanges(conversationId)),
    ]);
  },
  async start(input) {
    const conversation = await unwrap(api().agent.start(input));
    useConversations.getState().upsert(conversation);
    return conversation;
  },
  async setMode(conversationId, mode) {
    useConversations.getState().upsert(await unwrap(api().agent.setMode({ conversationId, mode })));
  },
  async say(conversationId, text) {
    await unwrap(api().agent.say({ conversationId, text }));
  },
  async undo(conversationId, changeId, force) {
    get().putChange(conversationId, await unwrap(api().agent.undo({ conversationId, changeId, force })));
  },
}));

const NONE: readonly FileChange[] = [];

export const changesOf = (state: Pick<AgentState, 'changes'>, conversationId: string | null): readonly FileChange[] =>
  (conversationId === null ? undefined : state.changes[conversationId]) ?? NONE;
