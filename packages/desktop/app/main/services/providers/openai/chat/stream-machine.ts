import type { StreamPart } from '../../../ports/model.ts';
import { StreamedFailure } from '../../wire/failures.ts';
import { isRecord } from '../../wire/json.ts';
import { brokenStream, unfinished } from '../../wire/model-errors.ts';
import { failureOf, mapStop } from './map-stop.ts';
import type { ChatProviderData } from './provider-data.ts';
import { ToolCallTracker } from './tool-call-tracker.ts';
import { usageOf } from './usage.ts';

/**
 * Turns the chunks of a Chat Completions stream into StreamParts. It reads them as unknown: what compatible servers send
 * agrees with the SDK's types only by and large.
 */
export class ChatStreamMachine {
  readonly #host: string;
  readonly #calls = new ToolCallTracker();
  #open: 'text' | 'reasoning' | undefined;
  #reasoningDetails: unknown[] = [];
  #stop: string | undefined;
  #usage: StreamPart | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  /** The model has said why it stopped: a connection lost after that costs nothing. */
  get isComplete(): boolean {
    return this.#stop !== undefined;
  }

  push(chunk: unknown): StreamPart[] {
    if (!isRecord(chunk)) return [];
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const usage = usageOf(chunk, choice);
    if (usage) this.#usage = { type: 'usage', usage };
    if (!isRecord(choice)) return [];
    // OpenRouter's place for what its provider reported.
    if (choice.error) throw new StreamedFailure(this.#host, choice);
    const parts: StreamPart[] = [];
    // A server that does not stream sends the whole message in one piece.
    const delta = choice.delta ?? choice.message;
    if (isRecord(delta)) this.#delta(delta, parts);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') this.#stop = choice.finish_reason;
    return parts;
  }

  /** Throws `broken-stream` when the stream ended before the answer did, and a ModelError when the answer failed. */
  end(): StreamPart[] {
    if (this.#stop === undefined) throw brokenStream(this.#host);
    const failure = failureOf(this.#stop);
    if (failure !== undefined) throw unfinished(failure, this.#host, `finish_reason: ${this.#stop}`);
    const parts = [...this.#close(), ...this.#calls.end()];
    if (this.#usage) parts.push(this.#usage);
    parts.push({ type: 'finish', reason: mapStop(this.#stop, this.#calls.hasCalls) });
    return parts;
  }

  #delta(delta: Record<string, unknown>, parts: StreamPart[]): void {
    const details = Array.isArray(delta.reasoning_details) ? delta.reasoning_details : [];
    const said = [delta.reasoning_content, delta.reasoning, delta.reasoning_text].map(stringOf);
    const reasoning = said.find((text) => text !== '') ?? textOf(details);
    this.#write('reasoning', reasoning, parts);
    if (details.length > 0) {
      if (this.#open !== 'reasoning') parts.push(...this.#close());
      this.#open = 'reasoning';
      this.#reasoningDetails.push(...details);
    }
    for (const { type, text } of contentOf(delta.content)) this.#write(type, text, parts);
    this.#write('text', stringOf(delta.refusal), parts);
    const calls = [delta.tool_calls ?? []].flat();
    // The form before `tool_calls`, still sent by some servers.
    if (isRecord(delta.function_call)) calls.push({ function: delta.function_call });
    if (calls.length > 0) parts.push(...this.#close());
    for (const call of calls) parts.push(...this.#calls.push(call));
  }

  #write(type: 'text' | 'reasoning', text: string, parts: StreamPart[]): void {
    if (text === '') return;
    if (this.#open !== type) parts.push(...this.#close());
    this.#open = type;
    parts.push({ type: `${type}-delta`, text });
  }

  #close(): StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    if (open === 'text') return [{ type: 'text-end' }];
    const details = this.#reasoningDetails;
    this.#reasoningDetails = [];
    if (details.length === 0) return [{ type: 'reasoning-end' }];
    const providerData: ChatProviderData = { kind: 'openai-chat', reasoning_details: joinDetails(details) };
    return [{ type: 'reasoning-end', providerData }];
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Visible text of OpenRouter's reasoning blocks. */
const textOf = (details: unknown[]): string =>
  details.map((detail) => (isRecord(detail) ? stringOf(detail.text) || stringOf(detail.summary) : '')).join('');

/** Streamed fragments of one block (same type and index) become one again; a signature comes with the last of them. */
function joinDetails(fragments: unknown[]): unknown[] {
  const joined: unknown[] = [];
  for (const fragment of fragments) {
    const last = joined.at(-1);
    if (!isRecord(fragment) || !isRecord(last) || last.type !== fragment.type || last.index !== fragment.index) {
      joined.push(isRecord(fragment) ? { ...fragment } : fragment);
      continue;
    }
    for (const [key, value] of Object.entries(fragment)) {
      const grows = key === 'text' || key === 'summary' || key === 'data';
      if (grows && typeof value === 'string') last[key] = stringOf(last[key]) + value;
      else if (value !== null && value !== undefined) last[key] = value;
    }
  }
  return joined;
}

interface ContentBlock {
  type: 'text' | 'reasoning';
  text: string;
}

/** Content is text, or a block, or a list of both; with Mistral of text and thinking blocks. */
const contentOf = (content: unknown): ContentBlock[] =>
  [content].flat().flatMap((block: unknown): ContentBlock[] => {
    if (typeof block === 'string') return [{ type: 'text', text: block }];
    if (!isRecord(block)) return [];
    if (block.type === 'thinking') {
      return [
        {
          type: 'reasoning',
          text: contentOf(block.thinking)
            .map(({ text }) => text)
            .join(''),
        },
      ];
    }
    return [{ type: 'text', text: stringOf(block.text) || stringOf(block.refusal) }];
  });
