import type { AssistantContent, ModelMessage, ModelOrigin, ToolResultContent } from '../ports/model.ts';
import { isRecord } from './digest.ts';
import { toolMessages } from './tool-messages.ts';

type ToolCall = Extract<AssistantContent, { type: 'tool-call' }>;
type UserMessage = Extract<ModelMessage, { role: 'user' }>;
type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

interface Identity {
  callId: string;
  name: string;
}

/** An answer of a model and the results that belong to its calls, by the call that they belong to. */
interface Exchange {
  message: AssistantMessage;
  results: Map<ToolCall, ToolResultContent>;
  /** In place of `results`, where they came just as they have to be, which is nearly always. */
  whole?: ToolMessage;
}

const OPENING = '(The beginning of this conversation is not shown.)';
/** What every provider takes as the id of a call. */
const VALID_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** What every provider takes as the name of a tool. */
const VALID_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * Makes a history that every provider accepts, and changes nothing in one that already is. Pure; doing it twice changes
 * nothing more. Afterwards:
 * - each call has exactly one result, in one tool message right after its answer, in the order of the calls; a missing one
 *   is filled in as an error; a second result for a call, and one without a call, is left out (as text it would read as if
 *   the user had said it);
 * - ids of calls are unique and made of `[A-Za-z0-9_-]`, at most 64; a changed id is the same in call and result, and from
 *   one request to the next; names have the wire form, and arguments are objects;
 * - no text holds half of a surrogate pair;
 * - there is no empty text (an empty one that carries provider data stays), no reasoning at the end of a finished answer
 *   (it belongs to something that never came), and no answer without content;
 * - user messages in a row are one, and so are answers without calls followed by another answer;
 * - it begins with the user, unless it is empty.
 */
export function repairHistory(messages: ModelMessage[]): ModelMessage[] {
  const joined = join(pair(clean(messages)));
  beginWithUser(joined);
  return uniqueIds(joined, new Set());
}

/**
 * The same for the requests of one turn, each of which begins with the messages of the one before: what was mended then is
 * not gone through again. Takes only histories in which the results of an answer follow it, as `toModelMessages` gives them.
 */
export class GrowingHistory {
  /** Messages up to the results of some calls: what comes later changes nothing before these. */
  #settled: ModelMessage[] = [];
  #repaired: ModelMessage[] = [];
  #usedIds = new Set<string>();

  repair(messages: ModelMessage[]): ModelMessage[] {
    if (this.#settled.some((message, index) => message !== messages[index])) {
      this.#settled = [];
      this.#repaired = [];
      this.#usedIds = new Set();
    }
    const end = messages.findLastIndex(({ role }) => role === 'tool') + 1;
    if (end > this.#settled.length) {
      this.#repaired = [...this.#repaired, ...this.#repair(messages.slice(this.#settled.length, end), this.#usedIds)];
      this.#settled = messages.slice(0, end);
    }
    const rest = messages.slice(end);
    const usedIds = rest.some((message) => message.role === 'assistant' && callsOf(message).length > 0)
      ? new Set(this.#usedIds)
      : this.#usedIds;
    return [...this.#repaired, ...this.#repair(rest, usedIds)];
  }

  #repair(messages: ModelMessage[], usedIds: Set<string>): ModelMessage[] {
    const joined = join(pair(clean(messages)));
    if (this.#repaired.length === 0) beginWithUser(joined);
    return uniqueIds(joined, usedIds);
  }
}

function beginWithUser(messages: ModelMessage[]): void {
  if (messages[0] && messages[0].role !== 'user') messages.unshift({ role: 'user', text: OPENING });
}

/** Leaves out what says nothing. */
function clean(messages: ModelMessage[]): ModelMessage[] {
  const lastSpoken = messages.findLast((message) => message.role !== 'assistant' || message.content.length > 0);
  const cleaned: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const results = mapChanged(message.results, wellFormedText);
      cleaned.push(results === message.results ? message : { ...message, results });
    } else if (message.role === 'user') {
      if (!saysNothing(message)) cleaned.push(wellFormedText(message));
    } else {
      // The last answer may be a paused one, which has to go back as it is.
      const maybePaused = message === lastSpoken && callsOf(message).length === 0;
      const content = cleanContent(message.content, maybePaused);
      if (content.length > 0) cleaned.push(content === message.content ? message : { ...message, content });
    }
  }
  return cleaned;
}

function cleanContent(content: AssistantContent[], maybePaused: boolean): AssistantContent[] {
  const isLoose = (item: AssistantContent | undefined) =>
    item?.type === 'reasoning' && !(maybePaused && item.providerData !== undefined);
  const saysSomething = (item: AssistantContent) =>
    item.type !== 'text' || item.providerData !== undefined || !isBlank(item.text);
  const kept = content.every(saysSomething) ? content : content.filter(saysSomething);
  const end = kept.findLastIndex((item) => !isLoose(item)) + 1;
  return mapChanged(end === kept.length ? kept : kept.slice(0, end), cleanItem);
}

function cleanItem(item: AssistantContent): AssistantContent {
  if (item.type !== 'tool-call') return wellFormedText(item);
  const args = cleanArguments(item.args);
  return args === item.args ? item : { ...item, args };
}

/** The list itself where nothing in it changes: most of a history needs no mending. */
function mapChanged<Item>(items: Item[], change: (item: Item) => Item): Item[] {
  for (let index = 0; index < items.length; index++) {
    if (change(items[index]!) !== items[index]) return items.map(change);
  }
  return items;
}

/** Half of a surrogate pair, left where a text was cut, is no JSON text for some providers. */
const wellFormedText = <Item extends { text: string }>(item: Item): Item =>
  item.text.isWellFormed() ? item : { ...item, text: item.text.toWellFormed() };

function cleanArguments(args: unknown): Record<string, unknown> {
  if (!isRecord(args)) return {};
  return isWellFormed(args) ? args : (wellFormed(args) as Record<string, unknown>);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) {
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
}

const isBlank = (text: string) => !/\S/.test(text);

const saysNothing = ({ text, attached, images }: UserMessage) =>
  isBlank(text) && isBlank(attached ?? '') && !images?.length;

/**
 * Finds for each result the call that it belongs to: of the calls before it with its id that have none yet, the first one
 * of the latest answer; of several of one answer, the one with its name.
 */
function pair(messages: ModelMessage[]): (UserMessage | Exchange)[] {
  const paired: (UserMessage | Exchange)[] = [];
  const openById = new Map<string, { exchange: Exchange; calls: ToolCall[] }[]>();
  let taken: ToolMessage | undefined;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      paired.push(message);
    } else if (message.role === 'assistant') {
      const calls = callsOf(message);
      const next = messages[index + 1];
      if (next?.role === 'tool' && isWhole(calls, next)) {
        paired.push({ message, results: NO_RESULTS, whole: next });
        taken = next;
        continue;
      }
      const exchange: Exchange = { message, results: new Map() };
      paired.push(exchange);
      for (const call of calls) {
        const waiting = openById.get(call.callId) ?? [];
        openById.set(call.callId, waiting);
        const last = waiting.at(-1);
        if (last?.exchange === exchange) last.calls.push(call);
        else waiting.push({ exchange, calls: [call] });
      }
    } else if (message !== taken) {
      for (const result of message.results) take(result, openById);
    }
  }
  return paired;
}

const NO_RESULTS: Exchange['results'] = new Map();

/** One result for each call, in the order of the calls. */
const isWhole = (calls: readonly ToolCall[], { results }: ToolMessage): boolean =>
  calls.length > 0 && calls.length === results.length && calls.every((call, index) => isFor(results[index]!, call));

const isFor = (result: Identity, { callId, name }: Identity): boolean =>
  result.callId === callId && result.name === name;

function take(result: ToolResultContent, openById: Map<string, { exchange: Exchange; calls: ToolCall[] }[]>): void {
  const waiting = openById.get(result.callId);
  const latest = waiting?.at(-1);
  if (!waiting || !latest) return;
  const named = latest.calls.findIndex((call) => call.name === result.name);
  const [call] = latest.calls.splice(Math.max(named, 0), 1);
  latest.exchange.results.set(call!, result);
  if (latest.calls.length === 0) waiting.pop();
}

/** Puts the history together again, with results where they belong and neighbours of one role made one. */
function join(paired: (UserMessage | Exchange)[]): ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const item of paired) {
    const last = joined.at(-1);
    if (!('message' in item)) {
      if (last?.role === 'user') joined[joined.length - 1] = mergeWords(last, item);
      else joined.push(item);
      continue;
    }
    // An answer with calls is followed by its results: only one without can be the last.
    if (last?.role === 'assistant') joined[joined.length - 1] = mergeAnswers(last, item.message);
    else joined.push(item.message);
    const calls = callsOf(item.message);
    if (item.whole) {
      joined.push(item.whole);
    } else if (calls.length > 0) {
      joined.push({ role: 'tool', results: calls.map((call) => item.results.get(call) ?? missingResult(call)) });
    }
  }
  return joined;
}

function mergeWords(first: UserMessage, second: UserMessage): UserMessage {
  const text = [first.text, second.text].filter((words) => words !== '').join('\n\n');
  const attached = [first.attached, second.attached].filter((words) => words !== undefined).join('\n\n');
  const images = [...(first.images ?? []), ...(second.images ?? [])];
  return { role: 'user', text, ...(attached !== '' && { attached }), ...(images.length > 0 && { images }) };
}

function mergeAnswers(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  if (isSameOrigin(first.origin, second.origin)) return { ...first, content: [...first.content, ...second.content] };
  const content = [...withoutProviderData(first.content), ...withoutProviderData(second.content)];
  return content.length > 0 ? { role: 'assistant', content } : second;
}

const isSameOrigin = (a: ModelOrigin | undefined, b: ModelOrigin | undefined) =>
  a?.providerId === b?.providerId && a?.modelId === b?.modelId;

/** Two models' words in one message belong to neither: what only one of them can read is left out. */
const withoutProviderData = (content: AssistantContent[]): AssistantContent[] =>
  content.flatMap((item): AssistantContent[] => {
    if (item.type === 'reasoning' || (item.type === 'text' && isBlank(item.text))) return [];
    const { providerData: _providerData, ...rest } = item;
    return [rest];
  });

const callsOf = (message: AssistantMessage): ToolCall[] => message.content.filter((item) => item.type === 'tool-call');

const missingResult = ({ callId, name }: ToolCall): ToolResultContent => ({
  callId,
  name,
  isError: true,
  text: toolMessages.missing,
});

/** Gives every call an id and a name that are valid, and its result the same ones. Adds the ids to those that are used. */
function uniqueIds(messages: ModelMessage[], used: Set<string>): ModelMessage[] {
  let identities: Identity[] = [];
  return messages.map((message): ModelMessage => {
    if (message.role === 'user') return message;
    if (message.role === 'tool') {
      if (message.results.every((result, index) => isFor(result, identities[index]!))) return message;
      return { role: 'tool', results: message.results.map((result, index) => ({ ...result, ...identities[index]! })) };
    }
    const calls = callsOf(message);
    identities = calls.map(({ callId, name }) => ({ callId: claimId(callId, used), name: validName(name) }));
    if (calls.every((call, index) => isFor(call, identities[index]!))) return message;
    const changed = identities.values();
    return {
      ...message,
      content: message.content.map((item) => (item.type === 'tool-call' ? { ...item, ...changed.next().value } : item)),
    };
  });
}

function claimId(id: string, used: Set<string>): string {
  let unique = id;
  if (!VALID_ID.test(id) || used.has(id)) {
    const base = id.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 56) || 'call';
    for (let number = 1; unique === id || used.has(unique); number++) unique = `${base}_${number}`;
  }
  used.add(unique);
  return unique;
}

function validName(name: string): string {
  if (VALID_NAME.test(name)) return name;
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 62);
  if (cleaned === '') return 'unknown_tool';
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `t_${cleaned}`;
}
