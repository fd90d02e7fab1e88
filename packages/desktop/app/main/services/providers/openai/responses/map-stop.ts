import type { FinishReason } from '../../../ports/model.ts';

/** `incompleteReason`: why a response ended early; undefined for one that did not. */
export function mapStop(incompleteReason: string | undefined, hasCalls: boolean): FinishReason {
  switch (incompleteReason) {
    case undefined:
      return hasCalls ? 'tool-calls' : 'stop';
    case 'max_output_tokens':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    default:
      return 'other';
  }
}
