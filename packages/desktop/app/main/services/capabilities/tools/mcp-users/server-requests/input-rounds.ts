import { isObject } from '../schema/json.ts';
import { RpcError } from '../transports/errors.ts';

/** How often one call may come back with questions. */
const MAX_ROUNDS = 10;
/** How many questions one round may have. */
const MAX_QUESTIONS = 20;
const URL_ELICITATION_REQUIRED = -32042;

/** What is added to the parameters of a request that is sent again. */
export type Retry = { inputResponses?: Record<string, unknown>; requestState?: unknown };

/** Answers one request of the server. */
export type Answer = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/**
 * Sends a request of the newer revision until its result is complete: each result that asks for input is answered, and the
 * request is sent again with the answers and with the server's own state as it came.
 * @throws whatever `send` and `answer` throw; RpcError for a server that never stops asking
 */
export async function withInputRounds(send: (retry: Retry) => Promise<unknown>, answer: Answer): Promise<unknown> {
  let retry: Retry = {};
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const result = await send(retry);
    if (!isObject(result) || result.resultType !== 'input_required') return result;
    retry = {
      ...(result.inputRequests !== undefined && { inputResponses: await answerAll(result.inputRequests, answer) }),
      ...(result.requestState !== undefined && { requestState: result.requestState }),
    };
  }
  throw new RpcError(-32603, `The server asked for input more than ${MAX_ROUNDS} times.`);
}

async function answerAll(requests: unknown, answer: Answer): Promise<Record<string, unknown>> {
  const entries = isObject(requests) ? Object.entries(requests) : [];
  if (entries.length > MAX_QUESTIONS) {
    throw new RpcError(-32603, `The server asked for more than ${MAX_QUESTIONS} things at once.`);
  }
  const answers = entries.map(async ([key, request]) => {
    if (!isObject(request) || typeof request.method !== 'string') {
      throw new RpcError(-32603, 'The server asked for input in a form that is not known.');
    }
    const params = isObject(request.params) ? request.params : {};
    return [key, await answer(request.method, params)] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

/**
 * Sends a request of the older revisions, once more after a refusal that names addresses to visit first: when the person
 * has been there.
 * @throws whatever `send` and `answer` throw
 */
export async function withUrlsFirst(send: () => Promise<unknown>, answer: Answer): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    const elicitations = error instanceof RpcError && error.code === URL_ELICITATION_REQUIRED && urlsOf(error.data);
    if (!elicitations) throw error;
    for (const params of elicitations) {
      const { action } = (await answer('elicitation/create', { ...params, mode: 'url' })) as { action: string };
      if (action !== 'accept') throw error;
    }
    return send();
  }
}

function urlsOf(data: unknown): Record<string, unknown>[] | undefined {
  const elicitations = isObject(data) ? data.elicitations : undefined;
  const isFine = Array.isArray(elicitations) && elicitations.length <= MAX_QUESTIONS && elicitations.every(isObject);
  return isFine ? elicitations : undefined;
}
