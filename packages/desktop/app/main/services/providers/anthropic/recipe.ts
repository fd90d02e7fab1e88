import type Anthropic from '@anthropic-ai/sdk';
import type { AnthropicTool } from '../../ports/tool-formats.ts';
import type { ProviderConfig, Recipe } from '../recipe.ts';
import { IMAGE_TYPES, NO_IMAGES } from '../wire/images.ts';
import { runMachine } from '../wire/run-machine.ts';
import { anthropicApi, listModels } from './api.ts';
import { convertMessages } from './convert-messages.ts';
import { maxOutputTokens, thinksAdaptively } from './model-limits.ts';
import { prepareTools } from './prepare-tools.ts';
import { AnthropicStreamMachine } from './stream-machine.ts';
import { refusedNicety, toModelError } from './to-model-error.ts';

/** Anthropic's Messages. */
export function anthropicRecipe(config: ProviderConfig): Recipe {
  const api = anthropicApi(config);
  return {
    toolFormat: 'anthropic',
    async *stream({ modelId, system, messages, tools, signal, without }) {
      const body: Anthropic.MessageCreateParamsStreaming = {
        model: modelId,
        max_tokens: maxOutputTokens(modelId),
        messages: convertMessages(messages, {
          origin: { providerId: config.providerId, modelId },
          images: without.has('images') ? NO_IMAGES : IMAGE_TYPES,
        }),
        stream: true,
      };
      if (system?.trim()) body.system = system;
      // Format `anthropic`, which this recipe names, gives tools of this shape.
      const prepared = prepareTools((tools ?? []) as AnthropicTool[]);
      if (prepared.length > 0) body.tools = prepared;
      if (thinksAdaptively(modelId) && !without.has('thinking')) {
        body.thinking = { type: 'adaptive', display: 'summarized' };
      }
      const client = await api.client();
      yield* runMachine(await client.messages.create(body, { signal }), new AnthropicStreamMachine(api.host));
    },
    listModels: (signal) => listModels(api, signal),
    refusedNicety,
    toModelError: (thrown, modelId) =>
      toModelError(thrown, { host: api.host, name: config.name, apiKey: config.apiKey, modelId }),
  };
}
