import { ModelError } from '../ports/errors.ts';
import type { ModelMessage, ModelPort, ModelRequest, StreamPart } from '../ports/model.ts';
import type { Nicety, ProviderConfig, Recipe } from './recipe.ts';
import { makeUpCallId } from './wire/call-ids.ts';

/**
 * What every recipe needs around it: prompt abort, errors as ModelError, call ids that no earlier call has, and a second try
 * without what a model has refused.
 */
export function modelPort(config: ProviderConfig, recipe: Recipe): ModelPort {
  /** By model: what it is known to refuse. */
  const refused = new Map<string, Set<Nicety>>();

  return {
    providerId: config.providerId,
    toolFormat: recipe.toolFormat,
    async *stream(request) {
      const { modelId, signal } = request;
      signal.throwIfAborted();
      const without = new Set(refused.get(modelId));
      while (true) {
        let begun = false;
        // Ends the request when the consumer stops reading, too.
        const reading = new AbortController();
        const combined = AbortSignal.any([signal, reading.signal]);
        try {
          const messages = without.has('signatures') ? request.messages.map(asForeign) : request.messages;
          const parts = recipe.stream({ ...request, messages, signal: combined, without });
          for await (const part of withFreshCallIds(untilAborted(parts, signal), request)) {
            begun = true;
            yield part;
          }
          // Only now is it known that it was this option that the model refused. Signatures are one conversation's.
          without.delete('signatures');
          refused.set(modelId, without);
          return;
        } catch (thrown) {
          if (signal.aborted) throw signal.reason;
          const error = recipe.toModelError(thrown, modelId);
          if (begun) throw afterBeginning(error);
          const nicety = recipe.refusedNicety(error);
          if (!nicety || without.has(nicety) || (nicety === 'images' && !hasImages(request))) throw error;
          config.logger?.info('The model refuses an option; trying without it', { modelId, option: nicety });
          without.add(nicety);
        } finally {
          reading.abort();
        }
      }
    },
  };
}

/** As if another model had written it: such messages go without what only their writer can read. */
const asForeign = (message: ModelMessage): ModelMessage =>
  message.role === 'assistant' ? { ...message, origin: undefined } : message;

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((message) => {
    if (message.role === 'user') return Boolean(message.images?.length);
    return message.role === 'tool' && message.results.some((result) => result.images?.length);
  });

/** Once parts are out, a new request would say them again: such an error is not for retrying by itself. */
function afterBeginning(error: ModelError): ModelError {
  if (!error.retryable) return error;
  const { code, message, hint, details } = error;
  return new ModelError(code, message, { hint, details });
}

/** Stops at once when the signal aborts, whatever the source is waiting for, and throws the signal's reason. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    while (true) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      signal.throwIfAborted();
      if (next.done) return;
      yield next.value;
      signal.throwIfAborted();
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: it may be waiting for the network itself.
    void iterator.return?.().then(undefined, () => undefined);
  }
}

/** Some servers number the calls of each response from zero; an id that the conversation has already is replaced. */
async function* withFreshCallIds(parts: AsyncIterable<StreamPart>, request: ModelRequest): AsyncGenerator<StreamPart> {
  const used = new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.content.flatMap((part) => ('callId' in part ? [part.callId] : [])) : [],
    ),
  );
  const replaced = new Map<string, string>();
  for await (const part of parts) {
    if (!('callId' in part) || !used.has(part.callId)) {
      yield part;
      continue;
    }
    const callId = replaced.get(part.callId) ?? makeUpCallId();
    replaced.set(part.callId, callId);
    yield { ...part, callId };
  }
}
