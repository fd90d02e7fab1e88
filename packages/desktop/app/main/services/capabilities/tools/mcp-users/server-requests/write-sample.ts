import type { ServerQuestion } from '@shared/contracts/mcp-requests.contract.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import { ModelError } from '../../../../ports/errors.ts';
import type { ModelMessage, ModelPort } from '../../../../ports/model.ts';

/** Providers count tokens each in their own way; a model is stopped at this many characters for each. */
const CHARACTERS_PER_TOKEN = 4;

export interface Sample {
  text: string;
  /** It was ended at the limit that the server or the model sets. */
  cut: boolean;
}

/**
 * Has a model answer a sampling request. Ends it where the server's limit is reached.
 * @throws ModelError, the signal's reason
 */
export async function writeSample(
  port: ModelPort,
  model: ModelRef,
  question: Extract<ServerQuestion, { kind: 'sampling' }>,
  outer: AbortSignal,
): Promise<Sample> {
  const enough = new AbortController();
  const signal = AbortSignal.any([outer, enough.signal]);
  const messages = question.messages.map(
    ({ role, text, images }): ModelMessage =>
      role === 'user' ? { role, text, ...(images && { images }) } : { role, content: [{ type: 'text', text }] },
  );
  const limit = question.maxTokens * CHARACTERS_PER_TOKEN;
  let text = '';
  let finish: string | undefined;
  for await (const part of port.stream({ modelId: model.modelId, system: question.system, messages, signal })) {
    outer.throwIfAborted();
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'finish') finish = part.reason;
    if (text.length <= limit) continue;
    enough.abort();
    return { text: text.slice(0, limit), cut: true };
  }
  if (text.trim() === '') {
    throw new ModelError('server-error', 'The model answered without any text.', { hint: 'Try another model.' });
  }
  return { text, cut: finish === 'length' };
}
