import type Anthropic from '@anthropic-ai/sdk';
import type { ModelInfo } from '@shared/contracts/providers.contract.ts';
import type { ProviderConfig } from '../recipe.ts';
import { withoutVersion } from '../wire/base-url.ts';
import { checkedFetch } from '../wire/checked-fetch.ts';
import { NotAnApiFailure } from '../wire/failures.ts';
import { isRecord } from '../wire/json.ts';
import { once } from '../wire/once.ts';

const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';

export interface AnthropicApi {
  /** Made, and its SDK loaded, when it is first asked for: the app starts without it. */
  client: () => Promise<Anthropic>;
  host: string;
}

/** Nothing is taken from the environment or from other programs' profiles, and nothing is retried. */
export function anthropicApi({ baseUrl, apiKey, fetch }: ProviderConfig): AnthropicApi {
  const url = withoutVersion(baseUrl ?? ANTHROPIC_BASE_URL, 'v1');
  const client = once(async () => {
    const { default: Anthropic } = await import('@anthropic-ai/sdk');
    return new Anthropic({
      apiKey: apiKey || 'none',
      authToken: null,
      credentials: null,
      config: null,
      profile: null,
      webhookKey: null,
      baseURL: url,
      fetch: checkedFetch(fetch),
      maxRetries: 0,
      logLevel: 'off',
      defaultHeaders: apiKey ? {} : { authorization: null },
    });
  });
  return { client, host: new URL(url).host };
}

const PAGE_SIZE = 1000;

/** One page holds more models than there are. */
export async function listModels(
  { client, host }: AnthropicApi,
  signal: AbortSignal | undefined,
): Promise<ModelInfo[]> {
  const page: unknown = await (await client()).get('/v1/models', { query: { limit: PAGE_SIZE }, signal });
  if (!isRecord(page) || !Array.isArray(page.data)) throw new NotAnApiFailure(host, 'JSON, but no list of models');
  return page.data.flatMap((model: unknown) => {
    if (!isRecord(model) || typeof model.id !== 'string' || model.lifecycle === 'retired') return [];
    const { id, display_name: name, max_input_tokens: contextWindow } = model;
    return [
      { id, ...(typeof name === 'string' && { name }), ...(typeof contextWindow === 'number' && { contextWindow }) },
    ];
  });
}
