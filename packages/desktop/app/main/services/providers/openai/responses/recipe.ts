import type OpenAI from 'openai';
import type { ProviderConfig, Recipe } from '../../recipe.ts';
import { IMAGE_TYPES, NO_IMAGES } from '../../wire/images.ts';
import { runMachine } from '../../wire/run-machine.ts';
import { listModels, openaiApi } from '../api.ts';
import { prepareResponsesTools } from '../prepare-tools.ts';
import { refusedNicety, toModelError } from '../to-model-error.ts';
import { convertMessages } from './convert-messages.ts';
import { ResponsesStreamMachine } from './stream-machine.ts';

/** Models without reasoning, which refuse every option that has to do with it. All newer ones have it. */
const WITHOUT_REASONING = /^(?:ft:)?(?:gpt-3|gpt-4|chatgpt-4)|-chat(?:-latest)?$/;

/** Responses, used without the server's memory: each request carries everything, encrypted reasoning included. */
export function responsesRecipe(config: ProviderConfig): Recipe {
  const api = openaiApi(config);
  return {
    toolFormat: 'openai',
    async *stream(request) {
      const { modelId, system, messages, signal, without } = request;
      const body: OpenAI.Responses.ResponseCreateParamsStreaming = {
        model: modelId,
        input: convertMessages(messages, {
          origin: { providerId: config.providerId, modelId },
          images: without.has('images') ? NO_IMAGES : IMAGE_TYPES,
        }),
        store: false,
        stream: true,
      };
      if (system?.trim()) body.instructions = system;
      if (!WITHOUT_REASONING.test(modelId)) {
        if (!without.has('encrypted-reasoning')) body.include = ['reasoning.encrypted_content'];
        if (!without.has('reasoning-summary')) body.reasoning = { summary: 'auto' };
      }
      const prepared = prepareResponsesTools(request);
      if (prepared.length > 0) body.tools = prepared;
      const client = await api.client();
      yield* runMachine(await client.responses.create(body, { signal }), new ResponsesStreamMachine(api.host));
    },
    listModels: async (signal) => (await listModels(api, signal)).filter(({ id }) => isForChat(id)),
    refusedNicety: (error) =>
      refusedNicety(error, ['signatures', 'long-descriptions', 'encrypted-reasoning', 'reasoning-summary', 'images']),
    toModelError: (thrown, modelId) =>
      toModelError(thrown, { host: api.host, name: config.name, apiKey: config.apiKey, modelId }),
  };
}

/** OpenAI lists everything it has; these kinds can't chat. */
const isForChat = (id: string): boolean =>
  !/embedding|whisper|tts|dall-e|moderation|audio|realtime|transcribe|image|sora|davinci|babbage/.test(id);
