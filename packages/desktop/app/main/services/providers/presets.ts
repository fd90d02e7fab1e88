import type { ProviderPreset, ProviderRecord } from '@shared/contracts/providers.contract.ts';

/** The providers that the app knows by name. `baseUrl: null` (custom only): the person has to give one. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    format: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    keyUrl: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    format: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    needsKey: true,
    keyUrl: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'google',
    name: 'Google Gemini',
    format: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com',
    needsKey: true,
    keyUrl: 'https://aistudio.google.com/apikey',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    format: 'openai',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    keyUrl: null,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    format: 'openai',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    keyUrl: null,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    format: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    keyUrl: 'https://openrouter.ai/settings/keys',
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    format: 'openai',
    baseUrl: 'https://api.deepseek.com/v1',
    needsKey: true,
    keyUrl: 'https://platform.deepseek.com/api_keys',
  },
  {
    id: 'mistral',
    name: 'Mistral',
    format: 'openai',
    baseUrl: 'https://api.mistral.ai/v1',
    needsKey: true,
    keyUrl: 'https://console.mistral.ai/api-keys',
  },
  {
    id: 'groq',
    name: 'Groq',
    format: 'openai',
    baseUrl: 'https://api.groq.com/openai/v1',
    needsKey: true,
    keyUrl: 'https://console.groq.com/keys',
  },
  {
    id: 'xai',
    name: 'xAI',
    format: 'openai',
    baseUrl: 'https://api.x.ai/v1',
    needsKey: true,
    keyUrl: 'https://console.x.ai',
  },
  { id: 'custom', name: 'Custom', format: 'openai', baseUrl: null, needsKey: false, keyUrl: null },
];

/** The preset of this id; `custom` for one that the app doesn't know (any more). */
export function presetOf(id: string): ProviderPreset {
  return PROVIDER_PRESETS.find((preset) => preset.id === id) ?? PROVIDER_PRESETS.at(-1)!;
}

/** Where requests go. */
export function effectiveBaseUrl(record: Pick<ProviderRecord, 'preset' | 'baseUrl'>): string | null {
  return record.baseUrl ?? presetOf(record.preset).baseUrl;
}

export const DEMO_PROVIDER_ID = 'demo';
const DEMO_MODEL_ID = 'demo';

/** Always there, so that somebody new sees the whole road without a key. Not stored. */
export const DEMO_PROVIDER: ProviderRecord = {
  id: DEMO_PROVIDER_ID,
  preset: 'demo',
  name: 'Demo',
  format: 'demo',
  baseUrl: null,
  models: [{ id: DEMO_MODEL_ID, name: 'Demo' }],
  enabled: true,
};
