import type { GoogleGenAI } from '@google/genai';
import type { ModelInfo } from '@shared/contracts/providers.contract.ts';
import type { ProviderConfig } from '../recipe.ts';
import { withoutVersion } from '../wire/base-url.ts';
import { checkedFetch } from '../wire/checked-fetch.ts';
import { once } from '../wire/once.ts';

const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com';

/** The SDK's own default, v1, lacks fields that tools and thinking need. */
const API_VERSION = 'v1beta';

export interface GoogleApi {
  /** Made, and its SDK loaded, when it is first asked for: the app starts without it. */
  client: () => Promise<GoogleGenAI>;
  host: string;
}

/** Nothing is taken from the environment, and nothing is retried. */
export function googleApi({ baseUrl, apiKey, fetch }: ProviderConfig): GoogleApi {
  const url = withoutVersion(baseUrl ?? GOOGLE_BASE_URL, API_VERSION);
  const client = once(async () => {
    const { GoogleGenAI } = await import('@google/genai');
    return new GoogleGenAI({
      // The SDK can't do without one; what listens at an address of one's own may not care.
      apiKey: apiKey || 'none',
      vertexai: false,
      apiVersion: API_VERSION,
      httpOptions: { baseUrl: url, fetch: checkedFetch(fetch) },
    });
  });
  return { client, host: new URL(url).host };
}

const PAGE_SIZE = 1000;

/** Every model that can chat. */
export async function listModels({ client }: GoogleApi, signal: AbortSignal | undefined): Promise<ModelInfo[]> {
  const models: ModelInfo[] = [];
  const { models: api } = await client();
  const pager = await api.list({ config: { pageSize: PAGE_SIZE, abortSignal: signal } });
  for await (const model of pager) {
    const actions = model.supportedActions;
    if (!model.name || (actions && !actions.includes('generateContent'))) continue;
    const id = model.name.replace(/^models\//, '');
    models.push({
      id,
      ...(model.displayName && { name: model.displayName }),
      ...(model.inputTokenLimit && { contextWindow: model.inputTokenLimit }),
    });
  }
  return models;
}
