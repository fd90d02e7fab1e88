import type { Usage } from '@shared/contracts/message-types.ts';
import { isRecord } from '../../wire/json.ts';

/** Token counts of a chunk of Chat Completions, wherever its server puts them; undefined when it has none. */
export function usageOf(chunk: Record<string, unknown>, choice: unknown): Usage | undefined {
  // The second is Moonshot's place, the third Groq's.
  const places = [chunk.usage, isRecord(choice) && choice.usage, isRecord(chunk.x_groq) && chunk.x_groq.usage];
  return places.map(readUsage).find((usage) => usage !== undefined);
}

/** Zeros are what is not known yet, or not any more. */
function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = numberOf(usage.prompt_tokens) ?? numberOf(usage.input_tokens) ?? 0;
  const output = numberOf(usage.completion_tokens) ?? numberOf(usage.output_tokens) ?? 0;
  if (input === 0 && output === 0) return undefined;
  const inDetails = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const outDetails = isRecord(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return {
    inputTokens: input,
    outputTokens: output,
    reasoningTokens: numberOf(outDetails.reasoning_tokens),
    // The second is DeepSeek's, the third Moonshot's.
    cachedInputTokens:
      numberOf(inDetails.cached_tokens) ?? numberOf(usage.prompt_cache_hit_tokens) ?? numberOf(usage.cached_tokens),
  };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
