import type OpenAI from 'openai';
import type { ProviderConfig, Recipe } from '../../recipe.ts';
import { IMAGE_TYPES, NO_IMAGES } from '../../wire/images.ts';
import { runMachine } from '../../wire/run-machine.ts';
import { listModels, openaiApi } from '../api.ts';
import { quirksOf } from '../endpoint-quirks.ts';
import { prepareChatTools } from '../prepare-tools.ts';
import { refusedNicety, toModelError } from '../to-model-error.ts';
import { convertMessages } from './convert-messages.ts';
import { ChatStreamMachine } from './stream-machine.ts';

/** Chat Completions: what every OpenAI-compatible endpoint speaks. */
export function chatRecipe(config: ProviderConfig): Recipe {
  const api = openaiApi(config);
  const quirks = quirksOf(api.baseUrl);
  return {
    toolFormat: 'openai',
    async *stream(request) {
      const { modelId, system, messages, signal, without } = request;
      const body: OpenAI.ChatCompletionCreateParamsStreaming = {
        model: modelId,
        messages: convertMessages(system, messages, {
          origin: { providerId: config.providerId, modelId },
          echoReasoning: (config.echoReasoning ?? quirks.echoReasoning) !== without.has('usual-reasoning'),
          images: without.has('images') ? NO_IMAGES : IMAGE_TYPES,
          callIds: quirks.callIds,
        }),
        stream: true,
      };
      if (quirks.streamOptions) body.stream_options = { include_usage: true };
      const prepared = prepareChatTools(request);
      if (prepared.length > 0) body.tools = prepared;
      const client = await api.client();
      yield* runMachine(await client.chat.completions.create(body, { signal }), new ChatStreamMachine(api.host));
    },
    listModels: (signal) => listModels(api, signal),
    refusedNicety: (error) => refusedNicety(error, ['usual-reasoning', 'long-descriptions', 'images']),
    toModelError: (thrown, modelId) =>
      toModelError(thrown, { host: api.host, name: config.name, apiKey: config.apiKey, modelId }),
  };
}
