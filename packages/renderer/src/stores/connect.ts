import type { AppEvent, EventBatch } from '@shared/contracts/index.ts';
import type { ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { api } from '../bridge/api.ts';
import { toApiError } from '../bridge/errors.ts';
import { subscribeToEvents } from '../bridge/events.ts';
import { text } from '../i18n/index.ts';
import { visibleString } from '../ui/visible-text.ts';
import { useAgent } from './agent.ts';
import { useApp } from './app.ts';
import { useChat } from './chat.ts';
import { type CompletionEvent, conversationOf } from './chat-reducer.ts';
import { useContent } from './content.ts';
import { useConversations } from './conversations.ts';
import { useDrafts } from './drafts.ts';
import { textOf } from './message-text.ts';
import { useProviders } from './providers.ts';
import { conversationOf as conversationOfCall, useServerRequests } from './server-requests.ts';
import { useServers } from './servers.ts';
import { useSettings } from './settings.ts';
import { useSignIns } from './sign-ins.ts';
import { toastError } from './toasts.ts';
import { toolsMayHaveChanged } from './tool-changes.ts';
import { useToolRuns } from './tool-runs.ts';

/**
 * Joins the stores to main: subscribes first, then loads what there is. `onCommand` takes what the application menu asks
 * for. Returns the function that ends it.
 */
export function connectStores(onCommand: (command: AppCommand) => void): () => void {
  const end = subscribeToEvents(api(), {
    onGap: () => {
      toolsMayHaveChanged();
      void loadEverything();
    },
    onBatch: (batch) => applyBatch(batch, onCommand),
  });
  void loadEverything().then(() => {
    // Only now, at the start: one that was just removed may come back with its draft.
    const { conversations } = useConversations.getState();
    if (conversations) useDrafts.getState().keepOnly(new Set(conversations.map(({ id }) => id)));
  });
  return end;
}

export type AppCommand = Extract<AppEvent, { type: 'app.command' }>['payload']['command'];

async function loadEverything(): Promise<void> {
  const results = await Promise.allSettled([
    useSettings.getState().load(),
    useProviders.getState().load(),
    useServers.getState().load(),
    useServerRequests.getState().load(),
    useSignIns.getState().load(),
    loadConversations(),
    useApp.getState().loadNotices(),
    useChat.getState().reopen(),
    useAgent.getState().reload(),
  ]);
  const { conversations, selectedId, select } = useConversations.getState();
  if (conversations && selectedId && !conversations.some(({ id }) => id === selectedId)) select(null);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) toastError(toApiError(failed.reason));
}

/** The list with its marks. What an event said of a conversation meanwhile is newer than the list. */
async function loadConversations(): Promise<void> {
  const mine = new Set<string>();
  followed = mine;
  const listed = await useConversations.getState().load();
  const { activity, setActivity, setWaiting } = useConversations.getState();
  for (const { id, running, waiting } of listed) {
    if (mine.has(id)) continue;
    pendingApprovals.set(id, new Set(waiting));
    setWaiting(id, waiting?.length ?? 0);
    if (waiting) setActivity(id, 'approval');
    else if (running) setActivity(id, 'running');
    else if (activity[id] !== 'unread') setActivity(id, null);
  }
}

/** The conversations that events told of since the list was last asked for. */
let followed = new Set<string>();

/** Exported for tests: gives each event of a batch to the store it belongs to. */
export function applyBatch(batch: EventBatch, onCommand: (command: AppCommand) => void): void {
  const turnEvents: CompletionEvent[] = [];
  for (const event of batch.events) {
    switch (event.type) {
      case 'completion.message':
      case 'completion.delta':
      case 'completion.toolPart':
      case 'completion.waiting':
      case 'completion.turnStarted':
      case 'completion.turnEnded':
        turnEvents.push(event);
        followActivity(event);
        break;
      case 'agent.presetsChanged':
        useAgent.getState().replacePresets(event.payload.presets);
        break;
      case 'agent.fileChanged':
        useAgent.getState().putChange(event.payload.conversationId, event.payload.change);
        break;
      case 'conversations.changed':
        useConversations.getState().upsert(event.payload.conversation);
        break;
      case 'conversations.removed':
        useConversations.getState().drop(event.payload.conversationId);
        useAgent.getState().forgetChanges(event.payload.conversationId);
        break;
      case 'providers.changed':
        useProviders.getState().replace(event.payload.providers);
        break;
      case 'mcp.serversChanged':
        useServers.getState().replace(event.payload.servers);
        toolsMayHaveChanged();
        // An edited server may have become one to sign in to, or none. Where main doesn't say, what is known stays.
        void useSignIns
          .getState()
          .load()
          .catch(() => {});
        break;
      case 'mcp.stateChanged':
        useServers.getState().setState(event.payload.serverId, event.payload.state);
        if (event.payload.state.status !== 'ready') useContent.getState().forget(event.payload.serverId);
        break;
      case 'mcpContent.changed':
        useContent.getState().forget(event.payload.serverId, event.payload.kind);
        break;
      case 'mcpContent.updated':
        useContent.getState().noteUpdate(event.payload.serverId, event.payload.uri);
        break;
      case 'mcp.toolsChanged':
        useServers.getState().forgetTools(event.payload.serverId);
        toolsMayHaveChanged();
        break;
      case 'mcpTools.changed':
        toolsMayHaveChanged();
        break;
      case 'mcpTools.progress':
        useToolRuns.getState().setProgress(event.payload.runId, event.payload.progress);
        break;
      case 'oauth.changed':
        useSignIns.getState().replace(event.payload);
        break;
      case 'settings.changed':
        useSettings.getState().replace(event.payload);
        break;
      case 'app.notice':
        useApp.getState().addNotice(event.payload);
        break;
      case 'app.openConversation':
        useConversations.getState().select(event.payload.conversationId);
        useApp.getState().go({ name: 'chat' });
        break;
      case 'app.command':
        onCommand(event.payload.command);
        break;
      case 'mcpRequests.changed':
        followRequest(event.payload.request);
        break;
      case 'mcpRequests.closed':
        dropRequest(event.payload.id);
        break;
    }
  }
  if (turnEvents.length === 0) return;
  useChat.getState().apply({ seq: batch.seq, events: turnEvents });
  for (const event of turnEvents) if (event.type === 'completion.turnEnded') announceEnd(event.payload);
}

/** Keeps a request, marks the conversation whose call it belongs to, and tells screen readers when it is new. */
function followRequest(request: ServerRequest): void {
  const { requests, put } = useServerRequests.getState();
  const known = requests.find(({ id }) => id === request.id);
  put(request);
  if (known?.call !== request.call) markAsked(known?.call);
  markAsked(request.call);
  if (!known)
    useApp.getState().announce(text('requests:announce', { server: visibleString(request.serverName) }), true);
}

function dropRequest(id: string): void {
  const { requests, drop } = useServerRequests.getState();
  const call = requests.find((request) => request.id === id)?.call;
  drop(id);
  markAsked(call);
}

/** Sets the mark of a call's conversation, while its turn runs, to whether the person is asked something. */
function markAsked(call: string | undefined): void {
  const conversationId = call === undefined ? undefined : conversationOfCall(call);
  if (conversationId === undefined) return;
  const { activity, setActivity } = useConversations.getState();
  const isRunning = activity[conversationId] === 'running' || activity[conversationId] === 'approval';
  const waits = isAsked(conversationId) || (pendingApprovals.get(conversationId)?.size ?? 0) > 0;
  if (isRunning) setActivity(conversationId, waits ? 'approval' : 'running');
}

/** Whether a server asks something for a call of this conversation. */
const isAsked = (conversationId: string): boolean =>
  useServerRequests.getState().requests.some(({ call }) => call && conversationOfCall(call) === conversationId);

/** Calls that wait for the person, by conversation: the mark stays until the last of them is answered. */
const pendingApprovals = new Map<string, Set<string>>();

/** Keeps the marks in the list of conversations, and tells screen readers what happens in the open one. */
function followActivity(event: CompletionEvent): void {
  const { setActivity, setWaiting, selectedId } = useConversations.getState();
  followed.add(conversationOf(event));
  if (event.type === 'completion.turnStarted') {
    pendingApprovals.delete(event.payload.conversationId);
    setWaiting(event.payload.conversationId, 0);
    setActivity(event.payload.conversationId, 'running');
  } else if (event.type === 'completion.toolPart') {
    const { conversationId, part } = event.payload;
    const pending = pendingApprovals.get(conversationId) ?? new Set<string>();
    pendingApprovals.set(conversationId, pending);
    if (part.state !== 'awaiting-approval') {
      pending.delete(part.callId);
    } else if (!pending.has(part.callId)) {
      pending.add(part.callId);
      if (conversationId === selectedId) {
        useApp.getState().announce(text('chat:announce.approval', { tool: part.toolName ?? part.wireName }), true);
      }
    }
    setWaiting(conversationId, pending.size);
    setActivity(conversationId, pending.size > 0 || isAsked(conversationId) ? 'approval' : 'running');
  } else if (event.type === 'completion.turnEnded') {
    const { conversationId } = event.payload;
    pendingApprovals.delete(conversationId);
    setWaiting(conversationId, 0);
    setActivity(conversationId, conversationId === selectedId ? null : 'unread');
  }
}

/** An answer is read aloud up to this length, in characters; the rest is read in the list. */
const MAX_SPOKEN = 600;

/** Tells screen readers how the turn of the open conversation ended, with the answer where there is one. */
function announceEnd({ conversationId, outcome }: EndedTurn): void {
  if (conversationId !== useConversations.getState().selectedId) return;
  const { rows, messages } = useChat.getState();
  const last = messages[rows.at(-1)?.id ?? ''];
  const answer = last?.role === 'assistant' ? withoutMarks(textOf(last)).slice(0, MAX_SPOKEN) : '';
  const ending = text(`chat:announce.${outcome}`);
  useApp.getState().announce(outcome === 'complete' && answer !== '' ? `${ending} ${answer}` : ending);
}

/** Markdown as it would be read aloud: no stars, hashes, fences and addresses. */
const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*{1,3}|~~|`+)(\S(?:.*?\S)?)\1/g, '$2')
    .replace(/\n{2,}/g, '\n')
    .trim();

type EndedTurn = Extract<CompletionEvent, { type: 'completion.turnEnded' }>['payload'];
