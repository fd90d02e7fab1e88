import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai';
import type { Usage } from '@shared/contracts/message-types.ts';
import type { FinishReason, StreamPart } from '../../ports/model.ts';
import { makeUpCallId } from '../wire/call-ids.ts';
import { isRecord } from '../wire/json.ts';
import { brokenStream, unfinished } from '../wire/model-errors.ts';
import { isFailure, mapStop } from './map-stop.ts';
import type { GoogleProviderData } from './provider-data.ts';

type Chunk = Pick<GenerateContentResponse, 'candidates' | 'promptFeedback' | 'usageMetadata'>;

/** A part of nothing else is a text, or the signature of one. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature']);

/** Turns the responses of a Gemini stream into StreamParts; each carries whole parts or pieces of a text. */
export class GoogleStreamMachine {
  readonly #host: string;
  readonly #callIds = new Set<string>();
  #open: { type: 'text' | 'reasoning'; parts: Part[] } | undefined;
  #stop: string | undefined;
  /** Why, in Gemini's words. */
  #stopMessage: string | undefined;
  #blocked = false;
  #usage: GenerateContentResponseUsageMetadata | undefined;

  constructor(host: string) {
    this.#host = host;
  }

  get isComplete(): boolean {
    return this.#stop !== undefined || this.#blocked;
  }

  push(chunk: Chunk): StreamPart[] {
    // Vertex puts counts and the kind of traffic into different chunks.
    if (chunk.usageMetadata) this.#usage = { ...this.#usage, ...chunk.usageMetadata };
    if (chunk.promptFeedback?.blockReason) this.#blocked = true;
    const candidate = chunk.candidates?.[0];
    if (candidate?.finishReason && candidate.finishReason !== 'FINISH_REASON_UNSPECIFIED') {
      this.#stop = candidate.finishReason;
      this.#stopMessage = candidate.finishMessage;
    }
    return (candidate?.content?.parts ?? []).flatMap((part) => (isRecord(part) ? this.#part(part) : []));
  }

  /** Throws `broken-stream` when the stream ended before the answer did, or when Gemini says that the answer is broken. */
  end(): StreamPart[] {
    if (!this.isComplete) throw brokenStream(this.#host);
    if (this.#stop !== undefined && isFailure(this.#stop)) {
      throw unfinished('broken-stream', this.#host, this.#stopMessage || this.#stop);
    }
    const parts = this.#close();
    if (this.#usage) parts.push({ type: 'usage', usage: readUsage(this.#usage) });
    parts.push({ type: 'finish', reason: this.#finish() });
    return parts;
  }

  #finish(): FinishReason {
    return this.#stop === undefined ? 'content-filter' : mapStop(this.#stop, this.#callIds.size > 0);
  }

  #part(part: Part): StreamPart[] {
    if (part.functionCall) return [...this.#close(), ...this.#call(part)];
    const isText = part.text !== undefined || Object.keys(part).every((key) => TEXT_FIELDS.has(key));
    if (!isText) return this.#unknown(part);
    const type = part.thought ? 'reasoning' : 'text';
    const text = part.text ?? '';
    if (text === '' && !part.thoughtSignature) return [];
    const parts = this.#open?.type === type ? [] : this.#close();
    this.#open ??= { type, parts: [] };
    keep(this.#open.parts, { ...part, text });
    if (text !== '') parts.push({ type: `${type}-delta`, text });
    return parts;
  }

  #call({ functionCall, thoughtSignature }: Part): StreamPart[] {
    const name = functionCall?.name ?? '';
    const wireId = functionCall?.id || undefined;
    const callId = wireId === undefined || this.#callIds.has(wireId) ? makeUpCallId() : wireId;
    this.#callIds.add(callId);
    const written: unknown = functionCall?.args ?? {};
    const argsText = JSON.stringify(written);
    // Only an object can go back.
    const args = isRecord(written) ? written : {};
    const providerData: GoogleProviderData = {
      kind: 'google',
      ...(thoughtSignature && { signed: { thoughtSignature, name, args } }),
      ...(wireId && { wireId }),
    };
    return [
      { type: 'tool-call-start', callId, name },
      { type: 'tool-call-delta', callId, argsText },
      { type: 'tool-call-end', callId, name, argsText, providerData },
    ];
  }

  /** Something that only Gemini knows: a part without text keeps it in its place. */
  #unknown(part: Part): StreamPart[] {
    const providerData: GoogleProviderData = { kind: 'google', parts: [part] };
    return [...this.#close(), { type: 'reasoning-end', providerData }];
  }

  #close(): StreamPart[] {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return [];
    // Without a signature the text says it all.
    const signed = open.parts.some((part) => part.thoughtSignature);
    const providerData: GoogleProviderData | undefined = signed ? { kind: 'google', parts: open.parts } : undefined;
    return [{ type: `${open.type}-end`, providerData }];
  }
}

/** Pieces of text are joined, but never one with a signature to one without. */
function keep(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last && !last.thoughtSignature && !part.thoughtSignature) last.text = `${last.text ?? ''}${part.text ?? ''}`;
  else parts.push(part);
}

function readUsage(usage: GenerateContentResponseUsageMetadata): Usage {
  return {
    inputTokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
    reasoningTokens: usage.thoughtsTokenCount,
    cachedInputTokens: usage.cachedContentTokenCount,
  };
}
