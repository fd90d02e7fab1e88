import type { RequestAnswer, ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

interface ServerRequestsState {
  /** What servers ask of the person, oldest first. */
  requests: ServerRequest[];
  /** Ids of running calls whose card is on the screen: their requests are shown there. */
  shownCalls: ReadonlySet<string>;
  load(): Promise<void>;
  put(request: ServerRequest): void;
  drop(id: string): void;
  answer(id: string, answer: RequestAnswer): Promise<void>;
  /** A card of a running call is on the screen. Returns what tells that it is gone. */
  showCall(call: string): () => void;
}

export const useServerRequests = create<ServerRequestsState>()((set) => ({
  requests: [],
  shownCalls: new Set(),
  async load() {
    set({ requests: await unwrap(api().mcpRequests.list()) });
  },
  put(request) {
    set(({ requests }) => ({
      requests: requests.some(({ id }) => id === request.id)
        ? requests.map((known) => (known.id === request.id ? request : known))
        : [...requests, request],
    }));
  },
  drop(id) {
    set(({ requests }) => ({ requests: requests.filter((request) => request.id !== id) }));
  },
  async answer(id, answer) {
    await unwrap(api().mcpRequests.answer({ id, answer }));
  },
  showCall(call) {
    set(({ shownCalls }) => ({ shownCalls: new Set([...shownCalls, call]) }));
    return () => set(({ shownCalls }) => ({ shownCalls: new Set([...shownCalls].filter((id) => id !== call)) }));
  },
}));

/** The conversation of a call, from the pool's id; undefined for one that belongs to none. */
export function conversationOf(call: string): string | undefined {
  try {
    const [conversationId] = JSON.parse(call);
    return typeof conversationId === 'string' ? conversationId : undefined;
  } catch {
    return undefined;
  }
}

/** The pool's id of a call. */
export const callKey = (conversationId: string, callId: string): string => JSON.stringify([conversationId, callId]);
