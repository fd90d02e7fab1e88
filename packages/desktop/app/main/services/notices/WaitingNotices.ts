import type { AppEvent } from '@shared/contracts/index.ts';

/** A system notification that is shown. */
interface ShownNotice {
  close(): void;
}

export interface WaitingNoticesOptions {
  /** Whether the person has a window of the app in front. */
  isFocused: () => boolean;
  /** Shows a system notification; undefined where the system has none. */
  show: (notice: { conversationId: string; tool: string }) => ShownNotice | undefined;
}

interface Waiting {
  callIds: Set<string>;
  notice: ShownNotice | undefined;
}

/**
 * Tells the person by a system notification that calls wait for an answer, where nobody looks at the app: one for each
 * conversation, taken back when nothing of it waits any more.
 */
export class WaitingNotices {
  readonly #options: WaitingNoticesOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: WaitingNoticesOptions) {
    this.#options = options;
  }

  /** Takes every event of the app, in order. */
  see(event: AppEvent): void {
    if (event.type === 'completion.turnEnded') this.#forget(event.payload.conversationId);
    if (event.type !== 'completion.toolPart') return;
    const { conversationId, part } = event.payload;
    if (part.state === 'awaiting-approval') {
      this.#add(conversationId, part.callId, part.title ?? part.toolName ?? part.wireName);
      return;
    }
    const waiting = this.#waiting.get(conversationId);
    if (waiting?.callIds.delete(part.callId) && waiting.callIds.size === 0) this.#forget(conversationId);
  }

  /** The person looks at the app: what it tells there needs no notification. */
  focused(): void {
    for (const waiting of this.#waiting.values()) {
      waiting.notice?.close();
      waiting.notice = undefined;
    }
  }

  #add(conversationId: string, callId: string, tool: string): void {
    const waiting = this.#waiting.get(conversationId) ?? { callIds: new Set(), notice: undefined };
    this.#waiting.set(conversationId, waiting);
    waiting.callIds.add(callId);
    if (!waiting.notice && !this.#options.isFocused()) waiting.notice = this.#options.show({ conversationId, tool });
  }

  #forget(conversationId: string): void {
    this.#waiting.get(conversationId)?.notice?.close();
    this.#waiting.delete(conversationId);
  }
}
