import type { GenerateContentConfig } from '@google/genai';
import type { ProviderConfig, Recipe } from '../recipe.ts';
import { GEMINI_IMAGE_TYPES, NO_IMAGES } from '../wire/images.ts';
import { runMachine } from '../wire/run-machine.ts';
import { googleApi, listModels } from './api.ts';
import { convertMessages } from './convert-messages.ts';
import { demandsSignatures, showsThoughts, takesPicturesInResponses } from './model-traits.ts';
import { prepareTools } from './prepare-tools.ts';
import { GoogleStreamMachine } from './stream-machine.ts';
import { refusedNicety, toModelError } from './to-model-error.ts';

/** Gemini's streamGenerateContent. */
export function googleRecipe(config: ProviderConfig): Recipe {
  const api = googleApi(config);
  return {
    toolFormat: 'google',
    async *stream(request) {
      const { modelId, system, messages, signal, without } = request;
      const options: GenerateContentConfig = { abortSignal: signal };
      if (system?.trim()) options.systemInstruction = system;
      const prepared = prepareTools(request);
      if (prepared.length > 0) options.tools = prepared;
      if (showsThoughts(modelId) && !without.has('thinking')) options.thinkingConfig = { includeThoughts: true };
      const contents = convertMessages(messages, {
        origin: { providerId: config.providerId, modelId },
        images: without.has('images') ? NO_IMAGES : GEMINI_IMAGE_TYPES,
        demandsSignatures: demandsSignatures(modelId),
        picturesInResponses: takesPicturesInResponses(modelId),
      });
      const client = await api.client();
      const chunks = await client.models.generateContentStream({ model: modelId, contents, config: options });
      yield* runMachine(chunks, new GoogleStreamMachine(api.host));
    },
    listModels: (signal) => listModels(api, signal),
    refusedNicety,
    toModelError: (thrown, modelId) =>
      toModelError(thrown, { host: api.host, name: config.name, apiKey: config.apiKey, modelId }),
  };
}
