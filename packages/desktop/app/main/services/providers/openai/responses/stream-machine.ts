import type { Usage } from '@shared/contracts/message-types.ts';
import type OpenAI from 'openai';
import type { FinishReason, StreamPart } from '../../../ports/model.ts';
import { makeUpCallId } from '../../wire/call-ids.ts';
import { StreamedFailure } from '../../wire/failures.ts';
import { isRecord } from '../../wire/json.ts';
import { brokenStream } from '../../wire/model-errors.ts';
import { mapStop } from './map-stop.ts';
import type { ResponsesProviderData } from './provider-data.ts';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;

interface OpenItem {
  callId: string;
  name: string;
  /** What has been sent of the text or of the arguments. */
  sent: string;
}

/** Turns the events of a streamed Response into StreamParts. Every output item ends up in the providerData of one part. */
export class ResponsesStreamMachine {
  readonly #host: string;
  readonly #open = new Map<number, OpenItem>();
  #items = 0;
  #calls = 0;
  #finish: FinishReason | undefined;
  #usage: Usage | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  get isComplete(): boolean {
    return this.#finish !== undefined;
  }

  push(event: Event): StreamPart[] {
    switch (event.type) {
      case 'response.output_item.added':
        return isRecord(event.item) ? this.#added(event.output_index, event.item) : [];
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return this.#text('text-delta', event.output_index, event.delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#text('reasoning-delta', event.output_index, event.delta);
      case 'response.reasoning_summary_part.added':
        return event.summary_index > 0 ? this.#text('reasoning-delta', event.output_index, '\n\n') : [];
      case 'response.function_call_arguments.delta':
        return this.#arguments(event.output_index, event.delta);
      case 'response.function_call_arguments.done':
        return this.#arguments(event.output_index, this.#missing(event.output_index, event.arguments));
      case 'response.output_text.done':
        return this.#text('text-delta', event.output_index, this.#missing(event.output_index, event.text));
      case 'response.output_item.done':
        return isRecord(event.item) ? this.#done(event.output_index, event.item) : [];
      case 'response.completed':
      case 'response.incomplete':
        return this.#complete(event.response ?? {});
      case 'response.failed':
        throw new StreamedFailure(this.#host, { error: event.response?.error });
      default:
        return [];
    }
  }

  /** Throws `broken-stream` when the stream ended before the response did. */
  end(): StreamPart[] {
    if (this.#finish === undefined) throw brokenStream(this.#host);
    const parts: StreamPart[] = [];
    // A call whose item was never said to be done: what was streamed of it is all there is.
    for (const index of this.#open.keys()) parts.push(...this.#giveUp(index));
    if (this.#usage) parts.push({ type: 'usage', usage: this.#usage });
    parts.push({ type: 'finish', reason: this.#finish });
    return parts;
  }

  #added(index: number, item: Item): StreamPart[] {
    const isCall = item.type === 'function_call';
    const parts = this.#giveUp(index);
    this.#items++;
    const open = {
      callId: isCall ? item.call_id || makeUpCallId() : '',
      name: isCall ? (item.name ?? '') : '',
      sent: '',
    };
    this.#open.set(index, open);
    if (!isCall) return parts;
    this.#calls++;
    parts.push({ type: 'tool-call-start', callId: open.callId, name: open.name });
    return parts;
  }

  /** Ends a call whose item was never said to be done. */
  #giveUp(index: number): StreamPart[] {
    const { callId, name, sent } = this.#open.get(index) ?? { callId: '', name: '', sent: '' };
    return name === '' ? [] : [{ type: 'tool-call-end', callId, name, argsText: sent }];
  }

  #text(type: 'text-delta' | 'reasoning-delta', index: number, text: string): StreamPart[] {
    if (!text) return [];
    const open = this.#open.get(index) ?? { callId: '', name: '', sent: '' };
    this.#open.set(index, open);
    open.sent += text;
    return [{ type, text }];
  }

  #arguments(index: number, argsText: string): StreamPart[] {
    const open = this.#open.get(index);
    if (!open || !argsText) return [];
    open.sent += argsText;
    return [{ type: 'tool-call-delta', callId: open.callId, argsText }];
  }

  /** What was not streamed of something that is said as a whole. */
  #missing(index: number, whole: unknown): string {
    return rest(this.#open.get(index)?.sent ?? '', textOf(whole));
  }

  #done(index: number, item: Item): StreamPart[] {
    const parts = this.#open.has(index) ? [] : this.#added(index, item);
    const { callId, name, sent } = this.#open.get(index) ?? { callId: '', name: '', sent: '' };
    this.#open.delete(index);
    const providerData: ResponsesProviderData = { kind: 'openai-responses', item };
    if (item.type === 'function_call') {
      // Servers of others don't say at the end again what they have streamed.
      const argsText = textOf(item.arguments) || sent;
      const late = rest(sent, argsText);
      if (late !== '') parts.push({ type: 'tool-call-delta', callId, argsText: late });
      parts.push({ type: 'tool-call-end', callId, name: item.name || name, argsText, providerData });
      return parts;
    }
    if (item.type === 'message') {
      const whole = (item.content ?? [])
        .map((part) => (part.type === 'output_text' ? part.text : part.refusal))
        .join('');
      const text = rest(sent, whole);
      if (text !== '') parts.push({ type: 'text-delta', text });
      parts.push({ type: 'text-end', providerData });
      return parts;
    }
    // Reasoning, and items of kinds that nobody here knows: a part without text that keeps them in their place.
    if (item.type === 'reasoning' && sent === '') {
      const text = (item.summary ?? []).map((part) => part.text).join('\n\n');
      if (text !== '') parts.push({ type: 'reasoning-delta', text });
    }
    parts.push({ type: 'reasoning-end', providerData });
    return parts;
  }

  /** What is missing of an answer none of whose items was announced: all, or its calls where the text was streamed. */
  #whole(output: Item[]): StreamPart[] {
    const missing = this.#open.size === 0 ? output : output.filter(({ type }) => type === 'function_call');
    this.#open.clear();
    return missing.flatMap((item, index) => this.#done(index, item));
  }

  #complete(response: Partial<OpenAI.Responses.Response>): StreamPart[] {
    if (response.status === 'failed') throw new StreamedFailure(this.#host, { error: response.error });
    const parts = this.#items > 0 ? [] : this.#whole(response.output ?? []);
    const incomplete =
      response.status === 'incomplete' ? (response.incomplete_details?.reason ?? 'unknown') : undefined;
    this.#finish = mapStop(incomplete, this.#calls > 0);
    const { usage } = response;
    if (typeof usage?.input_tokens !== 'number') return parts;
    this.#usage = {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens ?? 0,
      reasoningTokens: usage.output_tokens_details?.reasoning_tokens,
      cachedInputTokens: usage.input_tokens_details?.cached_tokens,
    };
    return parts;
  }
}

/** Servers of others send no arguments, or an object, where OpenAI has a text. */
const textOf = (args: unknown): string => (typeof args === 'string' ? args : args ? JSON.stringify(args) : '');

/** What of `whole` was not streamed: all of it, from servers that send no deltas. */
const rest = (sent: string, whole: string): string => (whole.startsWith(sent) ? whole.slice(sent.length) : '');
