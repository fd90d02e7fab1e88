import type { Waiting } from '@shared/contracts/completion.contract.ts';
import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import type { EventSink } from '../ports/events.ts';
import type { Logger } from '../ports/infrastructure.ts';
import type { RetryWait } from '../turn/retry.ts';
import type { TurnSink } from '../turn/turn-sink.ts';
import { toPartView, toView } from './to-view.ts';

/** Milliseconds between two writes of a row whose response or calls are under way. */
const SAVE_INTERVAL_MS = 500;

const NOT_SAVED: ErrorInfo = {
  code: 'store-failed',
  message: 'This answer could not be saved.',
  hint: 'Free some space on the disk, or check that the data folder can be written to. Copy what you need before you quit.',
};

/**
 * Shows one turn to the renderer as it happens, and stores it: at once where a row begins, has its whole response, or ends,
 * and at most twice a second in between, so that a crash loses half a second and a row with large results isn't written for
 * each of a hundred calls. A store that refuses doesn't end the turn; the row says so at its end.
 */
export class TurnRecorder implements TurnSink {
  readonly #conversationId: string;
  readonly #store: ConversationStore;
  readonly #events: EventSink;
  readonly #logger: Logger;
  /** Runs for a while after every write. */
  #pause: NodeJS.Timeout | undefined;
  /** What changed since, to be written when the pause is over. */
  #changed: Message | undefined;
  #unsaved = false;
  #waits: Waiting = null;
  #ended = false;

  constructor(conversationId: string, deps: { store: ConversationStore; events: EventSink; logger: Logger }) {
    this.#conversationId = conversationId;
    this.#store = deps.store;
    this.#events = deps.events;
    this.#logger = deps.logger;
  }

  /** What the turn waits for at this moment. */
  get waits(): Waiting {
    return this.#waits;
  }

  rowChanged(row: Message): void {
    this.#save(row);
    if (this.#unsaved && row.status !== 'streaming') row.parts.push({ type: 'error', error: NOT_SAVED });
    this.#events.emit({ type: 'completion.message', payload: { message: toView(row) } });
  }

  delta(row: Message, partIndex: number, text: string): void {
    const partType = row.parts[partIndex]?.type === 'reasoning' ? 'reasoning' : 'text';
    const { conversationId, id: messageId } = row;
    this.#events.emit({ type: 'completion.delta', payload: { conversationId, messageId, partIndex, partType, text } });
    this.#saveSoon(row);
  }

  toolPart(row: Message, partIndex: number): void {
    const part = row.parts[partIndex];
    if (part?.type !== 'tool') return;
    const { conversationId, id: messageId } = row;
    this.#events.emit({
      type: 'completion.toolPart',
      payload: { conversationId, messageId, partIndex, part: toPartView(part) },
    });
    // Progress is worth nothing after a crash, and the row may hold large results by now.
    if (!part.progress) this.#saveSoon(row);
  }

  checkpoint(row: Message): void {
    this.#save(row);
  }

  retryWait(wait: RetryWait | null): void {
    this.#waiting(wait && { for: 'retry', ...wait });
  }

  summarising(active: boolean): void {
    this.#waiting(active ? { for: 'summary' } : null);
  }

  /** Says which servers a request waits for; null when it goes on. */
  serversWait(serverNames: string[] | null): void {
    this.#waiting(serverNames && { for: 'servers', serverNames });
  }

  /** The turn is over: what others still report of it is not shown any more. */
  end(): void {
    if (this.#waits) this.#waiting(null);
    this.#ended = true;
    clearTimeout(this.#pause);
  }

  #waiting(waiting: Waiting): void {
    if (this.#ended) return;
    this.#waits = waiting;
    this.#events.emit({ type: 'completion.waiting', payload: { conversationId: this.#conversationId, waiting } });
  }

  #saveSoon(row: Message): void {
    if (this.#pause) this.#changed = row;
    else this.#save(row);
  }

  #save(row: Message): void {
    clearTimeout(this.#pause);
    this.#changed = undefined;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#changed) this.#save(this.#changed);
    }, SAVE_INTERVAL_MS);
    try {
      this.#store.putMessage(row);
      this.#unsaved = false;
    } catch (error) {
      this.#unsaved = true;
      this.#logger.error('A message could not be saved', { conversationId: row.conversationId, error: String(error) });
    }
  }
}
