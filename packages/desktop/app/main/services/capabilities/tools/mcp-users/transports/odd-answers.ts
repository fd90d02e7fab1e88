import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Fetch } from '../../../../ports/infrastructure.ts';
import { isNetworkFailure } from '../connection-errors.ts';
import { isObject } from '../schema/json.ts';
import { AnswerCutOff, NoAnswer } from './errors.ts';
import { isMessage } from './plain-message.ts';
import type { LogSink } from './stdio-transport.ts';

/** As much of what came instead of an answer as anyone reads, in characters, and how long it may take to come. */
const HEAD_CHARS = 1000;
const HEAD_MS = 1000;
/** A notification gets no answer, so nobody waits long for the server to say that it has it. */
const TAKEN_MS = 10_000;

type Item = { id?: unknown; result?: unknown; error?: unknown };

/**
 * A fetch for streamable HTTP that throws NoAnswer where the answer to a POSTed request holds none, and AnswerCutOff where it
 * breaks off. By every revision it comes with the POST itself, in JSON or in an event stream, and never on another stream. An
 * event stream may carry other messages first and is left alone; so is a refusal.
 * @param deliver takes messages that came along where the answer should have been
 */
export function requireAnswers(fetch: Fetch, deliver: (message: JSONRPCMessage) => void): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || init?.method !== 'POST') return response;
    const type = mediaType(response);
    const isStream = type === 'text/event-stream';
    if (isStream && response.status === 200) return response;
    const id = idOfRequest(init.body);
    if (id === undefined) return response;
    const { status } = response;
    if (!isStream && type !== 'application/json') {
      const head = await headOf(response);
      const content = head === '' ? 'nothing else' : `content of the type ${type || 'that it does not name'}`;
      throw new NoAnswer(`HTTP ${status} and ${content}`, head);
    }
    // The SDK reads nothing that comes with another status.
    const answer = status === 200 ? response : new Response(response.body, { status: 200, headers: response.headers });
    if (isStream) return answer;
    const json = async () => {
      handAnswer(await textOf(answer), id, status, deliver);
      // The SDK would lose a whole answer for a field too many.
      return [];
    };
    return Object.defineProperty(answer, 'json', { value: json });
  };
}

/**
 * A fetch for which a notification is taken, whatever the server answers: nothing depends on that. Not so where it wants to know
 * who we are (401, 403), and where it can't be reached.
 */
export function forgiveNotifications(fetch: Fetch, log: LogSink): Fetch {
  return async (input, init) => {
    const method = init?.method === 'POST' ? methodOfNotification(init.body) : undefined;
    if (method === undefined) return fetch(input, init);
    const warn = (what: string) => log('protocol', 'warning', `The server ${what} (${method}); going on all the same.`);
    const answering = fetch(input, init);
    const response = await within(answering, TAKEN_MS);
    if (!response) {
      warn(`did not answer to a notification within ${TAKEN_MS / 1000} s`);
      answering.then(drop).catch(() => {});
    } else {
      const { status } = response;
      if ((status < 200 || status >= 300) && (status < 400 || status === 401 || status === 403)) return response;
      if (!response.ok) warn(`refused a notification with HTTP ${status}`);
      drop(response);
    }
    // What the SDK takes for “understood”; it would wait for the end of any body.
    return new Response(null, { status: 202 });
  };
}

/** @throws AnswerCutOff when it breaks off, which says nothing of the answers to other requests; what else reading throws */
const textOf = (answer: Response): Promise<string> =>
  answer.text().catch((error) => {
    throw isNetworkFailure(error) ? new AnswerCutOff('a body that broke off') : error;
  });

/** Hands over what was sent, and with it the answer to the request of this id. @throws NoAnswer after that when there is none */
function handAnswer(text: string, id: unknown, status: number, deliver: (message: JSONRPCMessage) => void): void {
  const nothing = (what: string) => new NoAnswer(`HTTP ${status} and ${what}`, text.slice(0, HEAD_CHARS));
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw nothing('a body that is no JSON');
  }
  const items: unknown[] = Array.isArray(data) ? data : [data];
  const messages = items.filter(isMessage).filter((message) => 'method' in message || isAnswer(message));
  const answers: Item[] = messages.filter(isAnswer);
  let isThere = answers.some((answer) => String(answer.id) === String(id));
  const [only, ...more] = answers.filter((answer) => answer.error && (answer.id === null || answer.id === undefined));
  if (!isThere && only && more.length === 0) {
    // It could not even read whose request it was; but it came with the answer to this one.
    only.id = id;
    isThere = true;
  }
  for (const message of messages) deliver(message);
  if (!isThere) throw nothing('no answer to the request');
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & Item {
  const { result, error } = message as Item;
  return !('method' in message) && (Boolean(error) || isObject(result));
}

/** The id of a request; undefined for any other message. */
function idOfRequest(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  // Of a call, which may be long, no more is read than its beginning.
  const own = /^\{"jsonrpc":"2\.0","id":(\d+),"method":/.exec(body)?.[1];
  if (own !== undefined) return Number(own);
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
  return method === undefined ? undefined : id;
}

/** Reads no further than the method: a message may be long, and most are no notifications. */
const methodOfNotification = (body: unknown): string | undefined =>
  typeof body === 'string' ? /^\{(?:"jsonrpc":"2\.0",)?"method":"(notifications\/[^"]+)"/.exec(body)?.[1] : undefined;

const mediaType = ({ headers }: Response): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const drop = ({ body }: Response): void => void body?.cancel().catch(() => {});

/** The beginning of a body, as much as comes within a moment. */
async function headOf({ body }: Response): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const end = performance.now() + HEAD_MS;
  let head = '';
  while (head.length < HEAD_CHARS) {
    const chunk = await within(reader.read(), end - performance.now()).catch(() => undefined);
    if (!chunk || chunk.done) break;
    head += decoder.decode(chunk.value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return head.slice(0, HEAD_CHARS);
}

/** What the work gives, or undefined when it takes longer. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
