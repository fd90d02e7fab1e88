import type { Usage } from '@shared/contracts/message-types.ts';
import { isRecord } from '../../wire/json.ts';

/** Token counts of Chat Completions; undefined when a chunk has none. */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = numberOf(usage.prompt_tokens);
  const output = numberOf(usage.completion_tokens);
  if (input === undefined && output === undefined) return undefined;
  const inDetails = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const outDetails = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    reasoningTokens: numberOf(outDetails.reasoning_tokens),
    // The second is DeepSeek's.
    cachedInputTokens: numberOf(inDetails.cached_tokens) ?? numberOf(usage.prompt_cache_hit_tokens),
  };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
