import { ModelError } from '../../ports/errors.ts';
import type { ModelPort, ModelRequest, StreamPart } from '../../ports/model.ts';
import { estimateMessages, estimateTokens } from '../token-estimate.ts';
import { faultsOf } from './check-history.ts';
import type { Script } from './scripted.ts';

export interface WindowedModelOptions {
  /** Requests of more tokens than this are refused as too long. */
  window: number;
  /** Whether the app is told of the window. Default true. */
  told?: boolean;
  /** What answers say of the tokens that they were given; false to say nothing. Default: what they are. */
  counts?: false | ((tokens: number) => number);
  /** The answer to a request for a summary. Default: notes with their number. */
  summary?: (request: ModelRequest, index: number) => Script;
}

/** A model with a window: refuses what doesn't fit and what isn't valid, counts tokens, and writes summaries. */
export class WindowedModel implements ModelPort {
  readonly providerId = 'scripted';
  readonly toolFormat = 'openai';
  readonly contextWindow?: number;
  /** Those that were answered, without those for summaries. */
  readonly requests: ModelRequest[] = [];
  readonly summaries: ModelRequest[] = [];
  refused = 0;
  readonly #options: WindowedModelOptions;
  readonly #script: (request: ModelRequest, index: number) => Script;

  constructor(options: WindowedModelOptions, script: (request: ModelRequest, index: number) => Script) {
    this.#options = options;
    this.#script = script;
    if (options.told !== false) this.contextWindow = options.window;
  }

  async *stream(request: ModelRequest): AsyncIterable<StreamPart> {
    const faults = faultsOf(request.messages);
    if (faults.length > 0) throw new Error(`400: ${faults.join('; ')}`);
    const inputTokens = sizeOf(request);
    if (inputTokens > this.#options.window) {
      this.refused++;
      throw new ModelError('context-too-long', 'The conversation is too long for this model.');
    }
    const { counts = (tokens: number) => tokens } = this.#options;
    for (const piece of this.#answer({ ...request, messages: structuredClone(request.messages) })) {
      if (piece instanceof Error) throw piece;
      if (piece instanceof Promise) await piece;
      else if (piece.type !== 'usage') yield piece;
      else if (counts) yield { type: 'usage', usage: { inputTokens: counts(inputTokens), outputTokens: 20 } };
    }
  }

  #answer(request: ModelRequest): Script {
    if (!isForSummary(request)) return this.#script(request, this.requests.push(request) - 1);
    const index = this.summaries.push(request) - 1;
    return this.#options.summary?.(request, index) ?? notes(`Notes ${index + 1}.`);
  }
}

export const notes = (text: string): Script => [
  { type: 'text-delta', text },
  { type: 'text-end' },
  { type: 'usage', usage: { inputTokens: 0, outputTokens: 0 } },
  { type: 'finish', reason: 'stop' },
];

export const sizeOf = ({ system, messages }: ModelRequest): number =>
  estimateTokens(system ?? '') + estimateMessages(messages);

const isForSummary = ({ system }: ModelRequest): boolean => system?.startsWith('You write notes') ?? false;
