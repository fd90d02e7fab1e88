import type { Message } from '@shared/contracts/message-types.ts';
import type { RetryWait } from './retry.ts';

/**
 * Where a turn reports what happens. The rows are the turn's own and go on changing: who wants to keep one copies it. Every
 * call is synchronous and must be cheap for `delta`, which comes with every token.
 */
export interface TurnSink {
  /** A row is new, or changed as a whole; it should be stored. */
  rowChanged(row: Message): void;
  /** `text` was appended to the text or reasoning part at `partIndex`, which is new when it wasn't there before. */
  delta(row: Message, partIndex: number, text: string): void;
  /** The tool part at `partIndex` changed. */
  toolPart(row: Message, partIndex: number): void;
  /** Nothing to show, but a good moment to store the row: the model's response is whole, its calls come next. */
  checkpoint(row: Message): void;
  /** The turn waits before it asks the model again; null when it goes on. */
  retryWait(wait: RetryWait | null): void;
  /** The conversation is being summarised before it goes on; false when that is over. */
  summarising(active: boolean): void;
}
