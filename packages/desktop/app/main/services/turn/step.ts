import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message, MessagePart, ToolPart } from '@shared/contracts/message-types.ts';
import { ModelError } from '../ports/errors.ts';
import type { FinishReason, StreamPart } from '../ports/model.ts';
import { abortableStream } from './abortable.ts';
import type { CallIds } from './call-ids.ts';
import { type ParsedArguments, parseArguments } from './parse-arguments.ts';
import type { TurnSink } from './turn-sink.ts';

/** A call that the model made: where its part is in the row, and its arguments as read. */
export interface StepCall {
  partIndex: number;
  part: ToolPart;
  parsed: ParsedArguments;
}

export interface StepResult {
  reason: FinishReason;
  /** In the order in which the model began them. */
  calls: StepCall[];
}

/** While a call's arguments stream in, the part is shown again each time its text has grown by this factor. */
const SHOW_GROWTH = 2;
const FIRST_SHOWN_LENGTH = 64;

const CUT_OFF: ParsedArguments = {
  ok: false,
  reason:
    'The tool was not run: the answer was cut off before the call was complete. Call it again, with less if need be.',
};

/**
 * Turns the streamed pieces of one model response into the parts of its row, in place. Each piece costs the same however
 * long the response has grown.
 */
export class StepAccumulator {
  readonly #row: Message;
  readonly #sink: TurnSink;
  readonly #callIds: CallIds;
  readonly #find: (wireName: string) => MCPTool | undefined;
  /** Index of the text or reasoning part that deltas go to. */
  #openIndex: number | undefined;
  /** By the id that the stream uses. */
  readonly #openCalls = new Map<string, { partIndex: number; part: ToolPart; shownLength: number }>();
  readonly #calls: StepCall[] = [];
  #reason: FinishReason | undefined;

  constructor(row: Message, find: (wireName: string) => MCPTool | undefined, callIds: CallIds, sink: TurnSink) {
    this.#row = row;
    this.#find = find;
    this.#callIds = callIds;
    this.#sink = sink;
  }

  /** True once anything of the answer has arrived. */
  begun = false;

  add(piece: StreamPart): void {
    switch (piece.type) {
      case 'text-delta':
        this.#append('text', piece.text);
        break;
      case 'reasoning-delta':
        this.#append('reasoning', piece.text);
        break;
      case 'text-end':
        this.#close('text', piece.providerData);
        break;
      case 'reasoning-end':
        this.#close('reasoning', piece.providerData);
        break;
      case 'tool-call-start':
        this.#openIndex = undefined;
        if (!this.#openCalls.has(piece.callId)) this.#startCall(piece.callId, piece.name);
        break;
      case 'tool-call-delta':
        this.#growCall(piece.callId, piece.argsText);
        break;
      case 'tool-call-end':
        this.#openIndex = undefined;
        this.#endCall(piece);
        break;
      case 'usage':
        this.#row.usage = piece.usage;
        break;
      case 'finish':
        this.#reason = piece.reason;
        break;
    }
  }

  /** What the response came to. Throws `broken-stream` when it never said that it was finished. */
  result(): StepResult {
    if (this.#reason === undefined) {
      throw new ModelError('broken-stream', 'The model’s answer ended in the middle.', {
        hint: 'Try again.',
        retryable: true,
      });
    }
    for (const { partIndex, part } of this.#openCalls.values()) this.#calls.push({ partIndex, part, parsed: CUT_OFF });
    this.#openCalls.clear();
    this.#calls.sort((a, b) => a.partIndex - b.partIndex);
    const last = this.#calls.at(-1);
    // Where the answer was cut off: arguments that can't be read are not all there, and there may be some where none came.
    if (this.#reason === 'length' && last && (!last.parsed.ok || last.part.argsText === '')) last.parsed = CUT_OFF;
    for (const call of this.#calls) this.#settleArguments(call);
    return { reason: this.#reason, calls: this.#calls };
  }

  #append(type: 'text' | 'reasoning', text: string): void {
    if (text === '') return;
    const index = this.#open(type);
    (this.#row.parts[index] as { text: string }).text += text;
    this.#sink.delta(this.#row, index, text);
  }

  #open(type: 'text' | 'reasoning'): number {
    if (this.#openIndex !== undefined && this.#row.parts[this.#openIndex]?.type === type) return this.#openIndex;
    this.#openIndex = this.#push({ type, text: '' });
    return this.#openIndex;
  }

  #close(type: 'text' | 'reasoning', providerData: unknown): void {
    const isOpen = this.#openIndex !== undefined && this.#row.parts[this.#openIndex]?.type === type;
    // A text without text and without provider data is nothing; reasoning counts even when it is empty.
    if (isOpen || type === 'reasoning' || providerData !== undefined) {
      const index = this.#open(type);
      if (providerData !== undefined)
        (this.#row.parts[index] as { providerData?: unknown }).providerData = providerData;
      if (!isOpen) this.#sink.delta(this.#row, index, '');
    }
    this.#openIndex = undefined;
  }

  #startCall(streamId: string, name: string) {
    const part: ToolPart = {
      type: 'tool',
      callId: this.#callIds.claim(streamId),
      wireName: name,
      args: null,
      argsText: '',
      state: 'streaming',
    };
    identify(part, this.#find(name));
    const call = { partIndex: this.#push(part), part, shownLength: 0 };
    this.#openCalls.set(streamId, call);
    this.#sink.toolPart(this.#row, call.partIndex);
    return call;
  }

  #growCall(streamId: string, argsText: string): void {
    const call = this.#openCalls.get(streamId);
    if (!call) return;
    const text = `${call.part.argsText}${argsText}`;
    call.part.argsText = text;
    // The whole part crosses to the renderer each time, so it must not be once a token.
    if (text.length < Math.max(call.shownLength * SHOW_GROWTH, FIRST_SHOWN_LENGTH)) return;
    call.shownLength = text.length;
    this.#sink.toolPart(this.#row, call.partIndex);
  }

  #endCall(piece: Extract<StreamPart, { type: 'tool-call-end' }>): void {
    const { part, partIndex } = this.#openCalls.get(piece.callId) ?? this.#startCall(piece.callId, piece.name);
    this.#openCalls.delete(piece.callId);
    if (piece.name !== '' && piece.name !== part.wireName) {
      part.wireName = piece.name;
      identify(part, this.#find(piece.name));
    }
    part.argsText = piece.argsText;
    if (piece.providerData !== undefined) part.providerData = piece.providerData;
    this.#calls.push({ partIndex, part, parsed: parseArguments(piece.argsText) });
  }

  #settleArguments({ part, parsed }: StepCall): void {
    if (!parsed.ok) return;
    part.args = parsed.args;
    delete part.argsText;
  }

  #push(part: MessagePart): number {
    this.begun = true;
    return this.#row.parts.push(part) - 1;
  }
}

function identify(part: ToolPart, tool: MCPTool | undefined): void {
  part.serverId = tool?.serverId;
  part.serverName = tool?.serverName;
  part.toolName = tool?.name;
  part.title = tool ? (tool.title ?? tool.annotations?.title) : undefined;
}

/** Feeds a whole response to the accumulator. Throws what the stream throws, or the signal's reason as soon as it aborts. */
export async function readResponse(
  stream: AsyncIterable<StreamPart>,
  accumulator: StepAccumulator,
  signal: AbortSignal,
): Promise<StepResult> {
  for await (const piece of abortableStream(stream, signal)) accumulator.add(piece);
  return accumulator.result();
}
