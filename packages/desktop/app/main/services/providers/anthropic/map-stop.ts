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
    // Of gateways that put Anthropic's format before other models.
    case 'length':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
    // Bedrock's words.
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'content-filter';
    case 'pause_turn':
      return 'pause';
    default:
      return 'other';
  }
}
