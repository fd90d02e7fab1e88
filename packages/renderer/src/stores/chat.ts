import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../bridge/errors.ts';
import {
  type CompletionEvent,
  conversationOf,
  emptyTranscript,
  reduce,
  type Transcript,
  transcriptOf,
} from './chat-reducer.ts';

export interface SequencedEvents {
  seq: number;
  events: CompletionEvent[];
}

interface ChatState extends Transcript {
  /** The conversation that is open; only its messages are held. */
  conversationId: string | null;
  phase: 'none' | 'loading' | 'ready' | 'failed';
  error: ApiError | null;
  /** Opens a conversation and drops the one before; null only drops. */
  open(conversationId: string | null): Promise<void>;
  /** Loads the open conversation again, showing the old state until then. */
  reopen(): Promise<void>;
  /** Takes the events of one batch, for whichever conversations. */
  apply(batch: SequencedEvents): void;
  send(text: string, model: ModelRef, attachments?: readonly AttachmentRequest[]): Promise<void>;
  retry(model: ModelRef): Promise<void>;
  proceed(model: ModelRef): Promise<void>;
  stop(): Promise<void>;
  approve(callId: string, decision: ApprovalDecision): Promise<void>;
}

/** Events that came while `conversations.open` was on its way; null when none is. */
let buffer: SequencedEvents[] | null = null;
/** Tells the answer of the latest `open` from that of an earlier one. */
let generation = 0;
/** The last event that is in the transcript. */
let appliedSeq = 0;

export const useChat = create<ChatState>()((set, get) => {
  async function load(conversationId: string): Promise<void> {
    generation += 1;
    const mine = generation;
    buffer = [];
    try {
      const opened = await unwrap(api().conversations.open({ conversationId }));
      if (mine !== generation) return;
      const late = buffer;
      buffer = null;
      appliedSeq = opened.seq;
      set({
        ...transcriptOf(opened.messages, opened.running, opened.waiting),
        stopping: opened.running && get().stopping,
        phase: 'ready',
        error: null,
      });
      for (const batch of late) get().apply(batch);
    } catch (thrown) {
      if (mine !== generation) return;
      buffer = null;
      set({ phase: 'failed', error: toApiError(thrown) });
    }
  }

  function current(): { conversationId: string } {
    const { conversationId } = get();
    if (conversationId === null) throw new Error('No conversation is open');
    return { conversationId };
  }

  return {
    ...emptyTranscript,
    conversationId: null,
    phase: 'none',
    error: null,

    async open(conversationId) {
      if (conversationId !== null && conversationId === get().conversationId && get().phase !== 'failed') return;
      generation += 1;
      buffer = null;
      set({ ...emptyTranscript, conversationId, phase: conversationId === null ? 'none' : 'loading', error: null });
      if (conversationId !== null) await load(conversationId);
    },

    async reopen() {
      const { conversationId } = get();
      if (conversationId !== null) await load(conversationId);
    },

    apply(batch) {
      const { conversationId, phase } = get();
      if (conversationId === null || phase === 'failed') return;
      const events = batch.events.filter((event) => conversationOf(event) === conversationId);
      if (events.length === 0) return;
      if (buffer) {
        buffer.push({ seq: batch.seq, events });
        return;
      }
      if (batch.seq <= appliedSeq) return;
      let transcript: Transcript = get();
      for (const event of events) {
        const next = reduce(transcript, event);
        if (!next) {
          void get().reopen();
          return;
        }
        transcript = next;
      }
      appliedSeq = batch.seq;
      set(transcript);
    },

    async send(text, model, attachments = []) {
      const attached = attachments.length > 0 ? { attachments: [...attachments] } : {};
      await unwrap(api().completion.chatInSession({ ...current(), text, model, ...attached }));
    },
    async retry(model) {
      await unwrap(api().completion.retry({ ...current(), model }));
    },
    async proceed(model) {
      await unwrap(api().completion.proceed({ ...current(), model }));
    },
    async stop() {
      set({ stopping: true });
      try {
        await unwrap(api().completion.stop(current()));
      } catch (thrown) {
        set({ stopping: false });
        // The turn ended by itself in the meantime: what was wanted.
        if (toApiError(thrown).code !== 'not-running') throw thrown;
      }
    },
    async approve(callId, decision) {
      await unwrap(api().completion.approve({ ...current(), callId, decision }));
    },
  };
});
