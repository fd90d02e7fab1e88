import type Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '@shared/contracts/message-types.ts';
import type { StreamPart } from '../../ports/model.ts';
import { makeUpCallId } from '../wire/call-ids.ts';
import { isRecord, parseJson } from '../wire/json.ts';
import { brokenStream } from '../wire/model-errors.ts';
import { mapStop } from './map-stop.ts';
import type { AnthropicProviderData } from './provider-data.ts';

type Block = AnthropicProviderData['block'];

interface OpenBlock {
  block: Block;
  /** Streamed arguments of a call. */
  json: string;
}

/** Fields that a block of each kind is made of anyway; one with others is kept whole. */
const PLAIN_FIELDS: Record<string, string[]> = {
  text: ['type', 'text'],
  tool_use: ['type', 'id', 'name', 'input'],
};

/** What a delta goes on with; where its block was never begun, it is one of this kind. */
const BLOCK_OF_DELTA: Readonly<Record<string, string>> = { text_delta: 'text', thinking_delta: 'thinking' };

/**
 * Turns the events of a streamed Message into StreamParts, those of servers that only copy the format included: fields may
 * be missing or null, a block may have no beginning or no end, and the whole message may come at once.
 */
export class AnthropicStreamMachine {
  readonly #host: string;
  readonly #open = new Map<number, OpenBlock>();
  readonly #usage: Record<string, unknown> = {};
  #stop: string | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  get isComplete(): boolean {
    return this.#stop !== undefined;
  }

  push(event: Anthropic.RawMessageStreamEvent): StreamPart[] {
    switch (event.type) {
      case 'message_start':
        this.#count(event.message?.usage);
        return this.#whole(event.message);
      case 'content_block_start':
        return this.#start(event.index, { ...event.content_block } as unknown as Block);
      case 'content_block_delta':
        return isRecord(event.delta) ? this.#delta(event.index, event.delta) : [];
      case 'content_block_stop':
        return this.#end(event.index);
      case 'message_delta':
        this.#count(event.usage);
        this.#stop = event.delta?.stop_reason ?? this.#stop;
        return [];
      case 'message_stop':
        // Not every server says why.
        this.#stop ??= 'end_turn';
        return [];
      default:
        return [];
    }
  }

  /** Throws `broken-stream` when the stream ended before the message did. */
  end(): StreamPart[] {
    if (this.#stop === undefined) throw brokenStream(this.#host);
    const parts = [...this.#open.keys()].flatMap((index) => this.#end(index));
    const usage = readUsage(this.#usage);
    if (usage) parts.push({ type: 'usage', usage });
    parts.push({ type: 'finish', reason: mapStop(this.#stop) });
    return parts;
  }

  /** What a message holds from the beginning: nothing, or all of it where the server does not stream. */
  #whole(message: Partial<Anthropic.Message> | undefined): StreamPart[] {
    this.#stop = message?.stop_reason ?? this.#stop;
    const blocks: unknown[] = Array.isArray(message?.content) ? message.content : [];
    return blocks.flatMap((block, index) =>
      isRecord(block) ? [...this.#start(index, { ...block } as Block), ...this.#end(index)] : [],
    );
  }

  #start(index: number, block: Block): StreamPart[] {
    // One that was never said to be at its end.
    const parts = this.#end(index);
    this.#open.set(index, { block, json: '' });
    if (block.type === 'text' && block.text) parts.push({ type: 'text-delta', text: String(block.text) });
    if (block.type === 'thinking' && block.thinking) {
      parts.push({ type: 'reasoning-delta', text: String(block.thinking) });
    }
    if (block.type === 'tool_use') {
      block.id ||= makeUpCallId();
      block.name ??= '';
      parts.push({ type: 'tool-call-start', callId: String(block.id), name: String(block.name) });
    }
    return parts;
  }

  #delta(index: number, delta: Record<string, unknown>): StreamPart[] {
    const type = BLOCK_OF_DELTA[String(delta.type)];
    if (!this.#open.has(index) && type !== undefined) this.#open.set(index, { block: { type }, json: '' });
    const open = this.#open.get(index);
    if (!open) return [];
    const { block } = open;
    switch (delta.type) {
      case 'text_delta': {
        const text = stringOf(delta.text);
        block.text = `${block.text ?? ''}${text}`;
        return text === '' ? [] : [{ type: 'text-delta', text }];
      }
      case 'thinking_delta': {
        const text = stringOf(delta.thinking);
        block.thinking = `${block.thinking ?? ''}${text}`;
        return text === '' ? [] : [{ type: 'reasoning-delta', text }];
      }
      case 'signature_delta':
        block.signature = `${block.signature ?? ''}${stringOf(delta.signature)}`;
        return [];
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        return [];
      case 'input_json_delta': {
        const argsText = argsTextOf(delta.partial_json);
        open.json += argsText;
        if (block.type !== 'tool_use' || argsText === '') return [];
        return [{ type: 'tool-call-delta', callId: String(block.id), argsText }];
      }
      default:
        return [];
    }
  }

  #end(index: number): StreamPart[] {
    const open = this.#open.get(index);
    if (!open) return [];
    this.#open.delete(index);
    const { block, json } = open;
    const whole: AnthropicProviderData = { kind: 'anthropic', block };
    const providerData = isPlain(block) ? undefined : whole;
    switch (block.type) {
      case 'text':
        return [{ type: 'text-end', providerData }];
      case 'thinking':
        // Without a signature it can't go back.
        return [{ type: 'reasoning-end', providerData: block.signature ? whole : undefined }];
      case 'tool_use':
        return endOfCall(block, json, providerData);
      default:
        if (json !== '') block.input = parseJson(json) ?? {};
        return [{ type: 'reasoning-end', providerData: whole }];
    }
  }

  #count(usage: object | null | undefined): void {
    for (const [key, value] of Object.entries(usage ?? {})) {
      // Some gateways say at the end that what they counted at the beginning was nothing.
      const isKnown = value !== null && value !== undefined && (value !== 0 || !this.#usage[key]);
      if (isKnown) this.#usage[key] = value;
    }
  }
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Servers of others give an object, or its text, where Anthropic has pieces of text, and the other way round. */
const argsTextOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : stringOf(value);

function endOfCall(block: Block, json: string, providerData: AnthropicProviderData | undefined): StreamPart[] {
  const callId = String(block.id);
  // Servers that do not stream arguments give them at the start.
  const given = argsTextOf(block.input);
  const argsText = json || (given === '{}' ? '' : given);
  const late: StreamPart[] = json === '' && argsText !== '' ? [{ type: 'tool-call-delta', callId, argsText }] : [];
  return [...late, { type: 'tool-call-end', callId, name: String(block.name), argsText, providerData }];
}

function isPlain(block: Block): boolean {
  const plain = PLAIN_FIELDS[block.type];
  if (!plain) return false;
  return Object.entries(block).every(([key, value]) => plain.includes(key) || value === null || isEmptyList(value));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Anthropic counts what it read from the cache, and what it wrote there, apart from the rest of the input. */
function readUsage(usage: Record<string, unknown>): Usage | undefined {
  const count = (key: string): number => (typeof usage[key] === 'number' ? usage[key] : 0);
  if (usage.input_tokens === undefined && usage.output_tokens === undefined) return undefined;
  const details = isRecord(usage.output_tokens_details) ? usage.output_tokens_details : {};
  return {
    inputTokens: count('input_tokens') + count('cache_creation_input_tokens') + count('cache_read_input_tokens'),
    outputTokens: count('output_tokens'),
    reasoningTokens: typeof details.thinking_tokens === 'number' ? details.thinking_tokens : undefined,
    cachedInputTokens: count('cache_read_input_tokens'),
  };
}
