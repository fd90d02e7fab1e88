/** `max_tokens` has to be named, and no model takes more than its own limit: the most that each line is known to take. */
const MAX_OUTPUT_TOKENS: [model: RegExp, tokens: number][] = [
  [/claude-(2|instant|3-(opus|sonnet|haiku))/, 4096],
  [/claude-3-5/, 8192],
  [/claude-opus-4(-0|-1|-20\d+|$)/, 32_000],
  [/claude/, 64_000],
];

/** For models of other makers behind the same API. */
const DEFAULT_MAX_OUTPUT_TOKENS = 8192;

export function maxOutputTokens(modelId: string): number {
  return MAX_OUTPUT_TOKENS.find(([model]) => model.test(modelId))?.[1] ?? DEFAULT_MAX_OUTPUT_TOKENS;
}

/** Models that decide by themselves when to think. Earlier ones want a budget, and are not asked to think at all. */
export const thinksAdaptively = (modelId: string): boolean =>
  /claude-(?:opus|sonnet|haiku)-4-[6-9](?:-|$)|claude-[a-z]+-[5-9](?:-|$)/.test(modelId);
