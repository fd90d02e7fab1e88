import type { FinishReason } from '../../ports/model.ts';

/** `stop_reason`. */
export function mapStop(reason: string): FinishReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'tool_use':
      return 'tool-calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'content-filter';
    case 'pause_turn':
      return 'pause';
    default:
      return 'other';
  }
}
