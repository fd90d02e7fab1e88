import type { FinishReason } from '../../../ports/model.ts';

/** `finish_reason`, as OpenAI and its kin write it. Several say `stop` although the answer ends in calls. */
export function mapStop(reason: string, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'stop':
    case 'eos':
    case 'end_turn':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'tool_calls':
    case 'function_call':
      return 'tool-calls';
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    default:
      return hasCalls ? 'tool-calls' : 'other';
  }
}
