import type { AppEvent } from '@shared/contracts/index.ts';
import type { ServerQuestion } from '@shared/contracts/mcp-requests.contract.ts';

/** A system notification that is shown. */
interface ShownNotice {
  close(): void;
}

export interface WaitingNoticesOptions {
  /** Whether the person has a window of the app in front. */
  isFocused: () => boolean;
  /**
   * Shows a system notification; undefined where the system has none.
   * @param notice.conversationId undefined for what belongs to none
   * @param notice.asker the tool whose call waits, or the server that asks
   */
  show: (notice: { conversationId: string | undefined; asker: string }) => ShownNotice | undefined;
}

interface Waiting {
  /** Ids of calls and of requests of servers, marked as the one or the other. */
  ids: Set<string>;
  notice: ShownNotice | undefined;
}

/**
 * Tells the person by a system notification that calls, or questions of servers, wait for an answer, where nobody looks at the
 * app: one for each conversation and one for what belongs to none, taken back when nothing of it waits any more.
 */
export class WaitingNotices {
  readonly #options: WaitingNoticesOptions;
  readonly #waiting = new Map<string | undefined, Waiting>();
  /** Where the requests of servers belong that wait. */
  readonly #requests = new Map<string, string | undefined>();

  constructor(options: WaitingNoticesOptions) {
    this.#options = options;
  }

  /** Takes every event of the app, in order. */
  see(event: AppEvent): void {
    switch (event.type) {
      case 'completion.turnEnded':
        this.#forget(event.payload.conversationId);
        break;
      case 'completion.toolPart': {
        const { conversationId, part } = event.payload;
        const asker = part.title ?? part.toolName ?? part.wireName;
        if (part.state === 'awaiting-approval') this.#add(conversationId, `call ${part.callId}`, asker);
        else this.#remove(conversationId, `call ${part.callId}`);
        break;
      }
      case 'mcpRequests.changed': {
        const { id, call, serverName, question } = event.payload.request;
        if (!waitsForPerson(question)) this.#closeRequest(id);
        else if (!this.#requests.has(id)) {
          const conversationId = conversationOf(call);
          this.#requests.set(id, conversationId);
          this.#add(conversationId, `request ${id}`, serverName);
        }
        break;
      }
      case 'mcpRequests.closed':
        this.#closeRequest(event.payload.id);
        break;
    }
  }

  /** The person looks at the app: what it tells there needs no notification. */
  focused(): void {
    for (const waiting of this.#waiting.values()) {
      waiting.notice?.close();
      waiting.notice = undefined;
    }
  }

  #add(conversationId: string | undefined, id: string, asker: string): void {
    const waiting = this.#waiting.get(conversationId) ?? { ids: new Set(), notice: undefined };
    this.#waiting.set(conversationId, waiting);
    waiting.ids.add(id);
    if (!waiting.notice && !this.#options.isFocused()) waiting.notice = this.#options.show({ conversationId, asker });
  }

  #closeRequest(id: string): void {
    if (!this.#requests.has(id)) return;
    this.#remove(this.#requests.get(id), `request ${id}`);
    this.#requests.delete(id);
  }

  #remove(conversationId: string | undefined, id: string): void {
    const waiting = this.#waiting.get(conversationId);
    if (waiting?.ids.delete(id) && waiting.ids.size === 0) this.#forget(conversationId);
  }

  #forget(conversationId: string | undefined): void {
    this.#waiting.get(conversationId)?.notice?.close();
    this.#waiting.delete(conversationId);
  }
}

/** Not while the person is elsewhere to answer it, or a model writes what is to be shown. */
function waitsForPerson(question: ServerQuestion): boolean {
  if (question.kind === 'url') return !question.opened;
  return question.kind !== 'sampling' || question.phase.name !== 'writing';
}

/** The pool's id of a call is JSON of conversation id and call id, except where it belongs to no conversation. */
function conversationOf(call: string | undefined): string | undefined {
  const read: unknown = call?.startsWith('[') ? JSON.parse(call) : undefined;
  return Array.isArray(read) && typeof read[0] === 'string' ? read[0] : undefined;
}
