import type { AgentRun } from '@shared/contracts/agent-types.ts';
import type { ListedConversation } from '@shared/contracts/conversations.contract.ts';
import type { Conversation, ModelRef } from '@shared/contracts/message-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

/** What a conversation in the list is busy with, or that something new in it has not been looked at. */
export type Activity = 'running' | 'approval' | 'unread';

interface ConversationsState {
  /** Most recently used first; null until main has answered. */
  conversations: Conversation[] | null;
  /** The one that is shown; null for a new one that has no message yet. */
  selectedId: string | null;
  activity: Readonly<Record<string, Activity>>;
  /** How many calls wait for the person, by conversation; absent where none does. */
  waiting: Readonly<Record<string, number>>;
  /** Resolves with what main knows of each: what it is busy with comes as events from then on. */
  load(): Promise<ListedConversation[]>;
  select(id: string | null): void;
  upsert(conversation: Conversation): void;
  drop(id: string): void;
  setActivity(id: string, activity: Activity | null): void;
  setWaiting(id: string, calls: number): void;
  create(model: ModelRef | null): Promise<Conversation>;
  rename(id: string, title: string): Promise<void>;
  setModel(id: string, model: ModelRef): Promise<void>;
  /** Hides the conversation at once; {@link restore} brings it back. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<void>;
}

const STORAGE_KEY = 'conversation';

/** The conversation that was shown before this window was loaded again; null in a new window. */
function rememberedSelection(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function rememberSelection(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Without storage a reloaded window begins with a new chat.
  }
}

const byUse = (a: Conversation, b: Conversation) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1);

export const useConversations = create<ConversationsState>()((set, get) => ({
  conversations: null,
  selectedId: rememberedSelection(),
  activity: {},
  waiting: {},
  async load() {
    const listed = await unwrap(api().conversations.list());
    set({ conversations: listed.map(({ running: _, waiting: __, ...conversation }) => conversation).sort(byUse) });
    return listed;
  },
  select(selectedId) {
    set({ selectedId });
    rememberSelection(selectedId);
    if (selectedId && get().activity[selectedId] === 'unread') get().setActivity(selectedId, null);
  },
  upsert(conversation) {
    set(({ conversations }) => ({
      conversations: [...(conversations ?? []).filter(({ id }) => id !== conversation.id), conversation].sort(byUse),
    }));
  },
  drop(id) {
    set(
      ({
        conversations,
        selectedId,
        activity: { [id]: _dropped, ...activity },
        waiting: { [id]: _none, ...waiting },
      }) => ({
        conversations: conversations?.filter((conversation) => conversation.id !== id) ?? null,
        selectedId: selectedId === id ? null : selectedId,
        activity,
        waiting,
      }),
    );
  },
  setActivity(id, next) {
    if (get().activity[id] === (next ?? undefined)) return;
    set(({ activity: { [id]: _old, ...activity } }) => ({ activity: next ? { ...activity, [id]: next } : activity }));
  },
  setWaiting(id, calls) {
    if ((get().waiting[id] ?? 0) === calls) return;
    set(({ waiting: { [id]: _old, ...waiting } }) => ({ waiting: calls > 0 ? { ...waiting, [id]: calls } : waiting }));
  },
  async create(model) {
    const conversation = await unwrap(api().conversations.create({ model }));
    get().upsert(conversation);
    return conversation;
  },
  async rename(id, title) {
    get().upsert(await unwrap(api().conversations.rename({ conversationId: id, title })));
  },
  async setModel(id, model) {
    get().upsert(await unwrap(api().conversations.setModel({ conversationId: id, model })));
  },
  async remove(id) {
    const before = get().conversations?.find((conversation) => conversation.id === id);
    get().drop(id);
    try {
      await unwrap(api().conversations.remove({ conversationId: id }));
    } catch (thrown) {
      if (before) get().upsert(before);
      throw thrown;
    }
  },
  async restore(id) {
    get().upsert(await unwrap(api().conversations.restore({ conversationId: id })));
  },
}));

/** The run that a conversation is; undefined for a chat, and for one that isn't known. */
export const runOf = (state: Pick<ConversationsState, 'conversations'>, id: string | null): AgentRun | undefined =>
  state.conversations?.find((conversation) => conversation.id === id)?.agent;
