import type { ModelInfo } from '@shared/contracts/providers.contract.ts';
import type OpenAI from 'openai';
import type { ProviderConfig } from '../recipe.ts';
import { checkedFetch } from '../wire/checked-fetch.ts';
import { NotAnApiFailure } from '../wire/failures.ts';
import { isRecord } from '../wire/json.ts';
import { once } from '../wire/once.ts';

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

export interface OpenAIApi {
  /** Made, and its SDK loaded, when it is first asked for: the app starts without it. */
  client: () => Promise<OpenAI>;
  baseUrl: string;
  host: string;
}

/** Nothing is taken from the environment, and nothing is retried: that is the turn's part. */
export function openaiApi({ baseUrl, apiKey, fetch }: ProviderConfig): OpenAIApi {
  const url = (baseUrl ?? OPENAI_BASE_URL).trim().replace(/\/+$/, '');
  const client = once(async () => {
    const { default: OpenAI } = await import('openai');
    return new OpenAI({
      apiKey: apiKey || 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: url,
      fetch: checkedFetch(fetch),
      maxRetries: 0,
      logLevel: 'off',
      defaultHeaders: apiKey ? {} : { authorization: null },
    });
  });
  return { client, baseUrl: url, host: new URL(url).host };
}

/** What GET /models lists; compatible servers put the size of the context under several names. */
export async function listModels({ client, host }: OpenAIApi, signal: AbortSignal | undefined): Promise<ModelInfo[]> {
  const page: unknown = await (await client()).get('/models', { signal });
  // Some servers send the bare array.
  const listed = Array.isArray(page) ? page : isRecord(page) ? (page.data ?? page.models) : undefined;
  if (!Array.isArray(listed)) throw new NotAnApiFailure(host, 'JSON, but no list of models');
  return listed.flatMap((model: unknown) => {
    if (!isRecord(model)) return [];
    const id = model.id ?? model.name;
    if (typeof id !== 'string' || id === '') return [];
    const name = typeof model.name === 'string' && model.name !== id ? model.name : undefined;
    const window = [model.context_length, model.context_window, model.max_context_length, model.max_model_len].find(
      (size) => typeof size === 'number',
    );
    return [{ id, ...(name && { name }), ...(typeof window === 'number' && { contextWindow: window }) }];
  });
}
