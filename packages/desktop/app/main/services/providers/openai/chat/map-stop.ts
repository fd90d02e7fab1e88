import type { ModelErrorCode } from '../../../ports/errors.ts';
import type { FinishReason } from '../../../ports/model.ts';

/** By `finish_reason` in lower case with `_` between words, as OpenAI and its kin write it. */
const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  refusal: 'content-filter',
  safety: 'content-filter',
  // Z.ai.
  sensitive: 'content-filter',
};

/** Reasons of servers whose model could not go on: what there is of the answer is not the answer. */
const FAILURES: Readonly<Record<string, ModelErrorCode>> = {
  // Mistral, OpenRouter.
  error: 'server-error',
  // Z.ai.
  network_error: 'server-error',
  // DeepSeek.
  insufficient_system_resource: 'overloaded',
  // vLLM, for a request that it gave up.
  abort: 'broken-stream',
  cancelled: 'broken-stream',
  timeout: 'broken-stream',
  // Gemini's compatible endpoint, for a call that its model wrote wrongly.
  malformed_function_call: 'broken-stream',
  unexpected_tool_call: 'broken-stream',
};

/** Gemini's compatible endpoint names its filter before the reason. */
const plain = (reason: string): string =>
  reason
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_')
    .replace(/^function_call_filter_/, '');

/** Several say `stop` although the answer ends in calls. */
export function mapStop(reason: string, hasCalls: boolean): FinishReason {
  const known = REASONS[plain(reason)] ?? 'other';
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool-calls' : known;
}

/** What went wrong where a reason says that the answer failed; undefined for every other reason. */
export const failureOf = (reason: string): ModelErrorCode | undefined => FAILURES[plain(reason)];
