import type { StreamPart } from '../../../ports/model.ts';
import { makeUpCallId } from '../../wire/call-ids.ts';
import { isRecord, parseJson } from '../../wire/json.ts';

interface OpenCall {
  callId: string | undefined;
  /** As the wire gave it; tells calls apart, while `callId` may be made up. */
  wireId: string | undefined;
  index: number | undefined;
  name: string | undefined;
  argsText: string;
  /** Arguments that came before the name, or that may be a placeholder. */
  unsent: string;
  extra: Record<string, unknown>;
}

interface Delta {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  argsText: string;
  extra: Record<string, unknown>;
}

/**
 * Joins the deltas of Chat Completions into calls. Servers disagree about what tells two calls apart, so nothing is believed
 * alone: the index may be missing, always 0 or with gaps; the id may be missing, empty, a number, repeated in each chunk,
 * new in each chunk, or the same for all calls. What decides is whether the open call can still go on (its arguments are not
 * complete) and whether the chunk looks like a beginning (it has a name).
 */
export class ToolCallTracker {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  #last: OpenCall | undefined;

  get hasCalls(): boolean {
    return this.#calls.some(isCall);
  }

  /** `raw`: one element of a chunk's `tool_calls`, of whatever shape. */
  push(raw: unknown): StreamPart[] {
    const delta = readDelta(raw);
    if (!delta) return [];
    const call = this.#callOf(delta) ?? this.#open(delta);
    this.#last = call;
    if (delta.index !== undefined) this.#byIndex.set(delta.index, call);
    call.wireId ??= delta.id;
    Object.assign(call.extra, delta.extra);
    if (!repeatsWhole(delta, call)) {
      if (mayBePlaceholder(call) && delta.argsText.trim() !== '') {
        call.argsText = '';
        call.unsent = '';
      }
      call.argsText += delta.argsText;
      call.unsent += delta.argsText;
    }
    const parts: StreamPart[] = [];
    if (call.name === undefined && delta.name !== undefined) {
      call.name = delta.name;
      call.callId = this.#freshId(call.wireId);
      parts.push({ type: 'tool-call-start', callId: call.callId, name: call.name });
    } else if (delta.name !== undefined && delta.name !== call.name) {
      call.name = delta.name.startsWith(call.name ?? '') ? delta.name : `${call.name}${delta.name}`;
    }
    if (!mayBePlaceholder(call)) parts.push(...send(call));
    return parts;
  }

  /**
   * Ends the calls, which is not possible before the stream does. One with arguments that never got a name has an empty one,
   * so that the model is told; one with neither is nothing.
   */
  end(): StreamPart[] {
    return this.#calls.filter(isCall).flatMap((call): StreamPart[] => {
      const { name = '', argsText, extra } = call;
      const callId = call.callId ?? this.#freshId(call.wireId);
      const start: StreamPart[] = call.callId === undefined ? [{ type: 'tool-call-start', callId, name }] : [];
      call.callId = callId;
      const providerData = Object.keys(extra).length > 0 ? { kind: 'openai-chat', ...extra } : undefined;
      return [...start, ...send(call), { type: 'tool-call-end', callId, name, argsText, providerData }];
    });
  }

  #open(delta: Delta): OpenCall {
    const call: OpenCall = {
      callId: undefined,
      wireId: delta.id,
      index: delta.index,
      name: undefined,
      argsText: '',
      unsent: '',
      extra: {},
    };
    this.#calls.push(call);
    return call;
  }

  /** The call that a delta belongs to; undefined when it begins a new one. */
  #callOf(delta: Delta): OpenCall | undefined {
    const atIndex = delta.index === undefined ? undefined : this.#byIndex.get(delta.index);
    const isAtIndex = atIndex !== undefined && atIndex.wireId === delta.id;
    const withId =
      delta.id === undefined || isAtIndex ? atIndex : this.#calls.findLast((call) => call.wireId === delta.id);
    // An index of its own, with an id or a name, is a beginning; bare arguments go to whoever spoke last.
    const isBare = delta.index === undefined || (delta.id === undefined && delta.name === undefined);
    const call = withId ?? atIndex ?? (isBare ? this.#last : undefined);
    return call && belongs(delta, call) ? call : undefined;
  }

  #freshId(wireId: string | undefined): string {
    const taken = wireId === undefined || this.#calls.some((call) => call.callId === wireId);
    return taken ? makeUpCallId() : wireId;
  }
}

/** Bridges from other formats begin like this when the arguments are still to come. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(['{}', 'null']);

/** Nothing has been sent of it yet: the same text in the middle of arguments is a part of them. */
const mayBePlaceholder = ({ argsText, unsent }: OpenCall): boolean => unsent === argsText && PLACEHOLDERS.has(unsent);

const isCall = ({ name, argsText }: OpenCall): boolean => name !== undefined || argsText.trim() !== '';

function send(call: OpenCall): StreamPart[] {
  const { callId, unsent: argsText } = call;
  if (callId === undefined || argsText === '') return [];
  call.unsent = '';
  return [{ type: 'tool-call-delta', callId, argsText }];
}

/** Whether a delta goes on with `call` rather than beginning another one. */
function belongs(delta: Delta, call: OpenCall): boolean {
  if (delta.name === undefined || call.name === undefined) {
    const otherId = delta.id !== undefined && call.wireId !== undefined && delta.id !== call.wireId;
    return !otherId || !isComplete(call.argsText);
  }
  const sameId = delta.id === call.wireId;
  if (delta.name !== call.name) return isPieceOfName(delta, call, sameId);
  if (delta.id !== undefined && call.wireId !== undefined && !sameId) return continues(delta, call);
  // From here on the name is repeated, under the same id or without one. Two beginnings are two calls.
  if (isAnotherIndex(delta, call) && call.argsText === '' && delta.argsText === '') return false;
  // Complete arguments end a call.
  if (!isComplete(call.argsText)) return true;
  const sameIndex = !isAnotherIndex(delta, call);
  if (sameIndex && sameId && delta.id !== undefined)
    return delta.argsText === call.argsText || !isComplete(delta.argsText);
  return sameIndex && delta.argsText.trim() === '';
}

const isAnotherIndex = (delta: Delta, call: OpenCall): boolean =>
  delta.index !== undefined && call.index !== undefined && delta.index !== call.index;

/** A name may be streamed as arguments are: at the index of a call with an id, before its arguments. */
const isPieceOfName = (delta: Delta, call: OpenCall, sameId: boolean): boolean =>
  call.wireId !== undefined &&
  (sameId || delta.id === undefined) &&
  delta.index !== undefined &&
  delta.index === call.index &&
  call.argsText === '' &&
  delta.argsText === '';

/** Some servers say a finished call once more as a whole. */
const repeatsWhole = (delta: Delta, call: OpenCall): boolean =>
  delta.id !== undefined &&
  delta.id === call.wireId &&
  delta.name === call.name &&
  delta.argsText === call.argsText &&
  isComplete(call.argsText);

/** Under a new id and the same name: more of unfinished arguments, or arguments from the beginning? */
const continues = (delta: Delta, call: OpenCall): boolean =>
  call.argsText !== '' && !isComplete(call.argsText) && /^\s*[^{\s]/.test(delta.argsText);

/** Asked for each chunk of servers that repeat the name in all of them, so long text is not parsed without need. */
function isComplete(argsText: string): boolean {
  if (argsText.startsWith('{') && !/\}\s*$/.test(argsText.slice(-20))) return false;
  return parseJson(argsText) !== undefined;
}

function readDelta(raw: unknown): Delta | undefined {
  if (!isRecord(raw)) return undefined;
  // Without a `function` its fields may stand in the call itself, as they do in Responses.
  const fn = isRecord(raw.function) ? raw.function : raw;
  return {
    index: indexOf(raw.index),
    id: nonEmpty(raw.id),
    name: nonEmpty(fn.name),
    argsText: argsTextOf(fn.arguments),
    // Where Gemini's compatible endpoint puts its signatures.
    extra: isRecord(raw.extra_content) ? { extra_content: raw.extra_content } : {},
  };
}

function indexOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value);
  return typeof value === 'number' ? value : undefined;
}

function nonEmpty(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function argsTextOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
