import type { ApiFormat, ModelInfo } from '@shared/contracts/providers.contract.ts';
import type { ModelPort } from '../ports/model.ts';
import { anthropicRecipe } from './anthropic/recipe.ts';
import { googleRecipe } from './google/recipe.ts';
import { modelPort } from './model-port.ts';
import { chatRecipe } from './openai/chat/recipe.ts';
import { responsesRecipe } from './openai/responses/recipe.ts';
import type { ProviderConfig, Recipe } from './recipe.ts';

export type { ProviderConfig } from './recipe.ts';

/** Formats that are spoken over the network; the demo model is made elsewhere. */
export type WireFormat = Exclude<ApiFormat, 'demo'>;

const RECIPES: Record<WireFormat, (config: ProviderConfig) => Recipe> = {
  openai: chatRecipe,
  'openai-responses': responsesRecipe,
  anthropic: anthropicRecipe,
  google: googleRecipe,
};

/** A provider's models behind the port. Nothing is sent before the first `stream`. */
export function createModelPort(format: WireFormat, config: ProviderConfig): ModelPort {
  return modelPort(config, RECIPES[format](config));
}

/**
 * Asks a provider for its models, which tests the key as well. Throws ModelError: `key-refused`, `unreachable` (the host is
 * named), `not-supported` where nothing of the kind answers, or another code for what the provider reports.
 */
export async function listModels(
  format: WireFormat,
  config: ProviderConfig,
  signal?: AbortSignal,
): Promise<ModelInfo[]> {
  const recipe = RECIPES[format](config);
  try {
    return await recipe.listModels(signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw recipe.toModelError(error);
  }
}
