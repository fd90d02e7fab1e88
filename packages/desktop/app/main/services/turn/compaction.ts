import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { Message, Usage } from '@shared/contracts/message-types.ts';
import { ModelError } from '../ports/errors.ts';
import type { Clock } from '../ports/infrastructure.ts';
import type { ModelMessage, ModelPort } from '../ports/model.ts';
import type { ToolPort, ToolSet } from '../ports/tools.ts';
import { HistoryReader } from './history-reader.ts';
import { type Around, type RequestSize, requestSize } from './request-size.ts';
import { summarise } from './summarise.ts';
import { type ConversationView, isSummary, viewConversation } from './summary-view.ts';
import { estimateTokens } from './token-estimate.ts';
import type { TurnSink } from './turn-sink.ts';

export interface ContextInput {
  /** The conversation, the row that is being written included. */
  rows: readonly Message[];
  model: ModelPort;
  modelId: string;
  tools: ToolPort;
  sink: TurnSink;
  signal: AbortSignal;
  clock: Clock;
  /** Puts a new row behind the last one and reports it. */
  beginRow: () => Message;
  /** Told what a summary took. */
  onUsage: (usage: Usage | undefined) => void;
}

/** What the next request goes out with. */
interface Request extends Around {
  row: Message;
  toolSet: ToolSet;
}

/** Share of the model's window from which on the conversation is compacted. */
export const COMPACT_AT = 0.9;
/** Share of the window that the newest rows keep. */
const KEPT_SHARE = 1 / 3;
/** Less than this share of the window isn't worth a summary, unless the model has refused. */
const MIN_GAIN = 0.1;
/** Requests of one round that may be found too long, the first included. */
const MAX_TRIES = 4;
/** A second refusal says that estimates are of no use here: the window is taken for this share of what was refused. */
const REFUSED_AGAIN = 0.5;

/**
 * Keeps the requests of a turn within the model's window. Near its end, or when the model says that a request is too long,
 * the older rows are summed up by the model; rows are never taken apart, so no call loses its result. The row that was begun
 * for the answer takes the summary, and the answer gets another one. Nothing stored is changed or removed.
 */
export class ContextKeeper {
  readonly #input: ContextInput;
  readonly #reader: HistoryReader;
  /** Tokens; as the provider says, or less when the model has refused that much. */
  #window: number | undefined;
  /** See RequestSize. */
  #scale = 1;
  /** The row with the summary that counts. */
  #summary: Message | undefined;

  constructor(input: ContextInput) {
    this.#input = input;
    this.#window = input.model.contextWindow;
    this.#summary = input.rows.findLast(isSummary);
    this.#reader = new HistoryReader({ providerId: input.model.providerId, modelId: input.modelId }, input.tools);
  }

  /**
   * Makes a request with a history that fits, as far as that can be told, and makes it again with less when the model finds
   * it too long. Rejects with what `ask` throws, with ModelError when a summary is due and the model can't be asked, or with
   * the signal's reason.
   * @param ask makes the request and reads the answer into the row
   */
  async fit<Answer>(
    request: Request,
    ask: (row: Message, messages: ModelMessage[]) => Promise<Answer>,
  ): Promise<Answer> {
    let row = await this.#compactInTime(request);
    for (let tries = 1; ; tries++) {
      const view = this.#view({ ...request, row });
      try {
        return await ask(row, this.#reader.read(view));
      } catch (error) {
        if (!isTooLong(error) || tries === MAX_TRIES || hasAnswer(row)) throw error;
        const smaller = await this.#compactAfterRefusal({ ...request, row }, tries);
        if (!smaller) throw error;
        row = smaller;
      }
    }
  }

  /** What the request would be read from, with the reader made ready for it. */
  #view({ row, toolSet }: Request): ConversationView {
    const { rows } = this.#input;
    this.#reader.prepare(toolSet, this.#window);
    return viewConversation(rows.slice(0, rows.lastIndexOf(row)), this.#summary, this.#window);
  }

  /** Gives the row for the answer: the same one unless it took a summary. */
  async #compactInTime(request: Request): Promise<Message> {
    const window = this.#window;
    if (window === undefined) return request.row;
    const view = this.#view(request);
    const limit = window * COMPACT_AT;
    const size = this.#size(view, request);
    if (size.tokens < limit) return request.row;
    const cut = this.#cut(view, window / size.scale);
    if (cut.tokens * size.scale < window * MIN_GAIN) return request.row;
    return this.#compact(request, view, cut.rows, size);
  }

  /** The row for the answer, as soon as the request is smaller; undefined when it can't be. */
  async #compactAfterRefusal(request: Request, tries: number): Promise<Message | undefined> {
    const view = this.#view(request);
    const size = this.#size(view, request);
    const lower = tries === 1 ? COMPACT_AT : REFUSED_AGAIN;
    this.#window = Math.floor(Math.min(this.#window ?? size.tokens, size.tokens) * lower);
    const cut = this.#cut(view, this.#window / size.scale);
    const row = cut.tokens > 0 ? await this.#compact(request, view, cut.rows, size) : request.row;
    const next = { ...request, row };
    const { estimate } = this.#size(this.#view(next), next);
    return estimate < size.estimate ? row : undefined;
  }

  #size(view: ConversationView, request: Request): RequestSize {
    const size = requestSize(view, this.#reader, request, this.#scale);
    this.#scale = size.scale;
    return size;
  }

  /**
   * How many rows of the conversation a summary would replace, and the estimated tokens of what it would replace; none when
   * there is nothing new among them. The newest row stays in any case.
   * @param window in estimated tokens
   */
  #cut(view: ConversationView, window: number): { rows: number; tokens: number } {
    let room = window * KEPT_SHARE;
    let index = view.rows.length;
    while (index > 0) {
      room -= this.#reader.tokensOf(view.rows[index - 1]!);
      if (room < 0 && index < view.rows.length) break;
      index--;
    }
    const replaced = view.rows.slice(0, index).reduce((sum, row) => sum + this.#reader.tokensOf(row), 0);
    const tokens = index === 0 ? 0 : replaced + estimateTokens(view.opening ?? '');
    return { rows: index === 0 ? view.from : this.#input.rows.lastIndexOf(view.rows[index]!), tokens };
  }

  /** Writes a summary of the first `rows` rows into the request's row, and gives a new one for the answer. */
  async #compact(request: Request, view: ConversationView, rows: number, size: RequestSize): Promise<Message> {
    const { sink, model, modelId, signal, clock, beginRow, onUsage } = this.#input;
    const { row } = request;
    const replaced = this.#input.rows.slice(0, rows);
    const first = replaced.slice(0, view.from).find(({ role }) => role === 'user');
    const older = [...(first ? [first] : []), ...replaced.slice(view.from).filter((older) => !isSummary(older))];
    sink.summarising(true);
    const summary = await summarise(
      { notes: view.summary, messages: older.flatMap((older) => this.#reader.messagesOf(older)) },
      {
        model,
        modelId,
        window: (this.#window ?? size.tokens) / size.scale,
        signal,
        clock,
        onRetryWait: (wait) => {
          sink.retryWait(wait);
          if (!wait) sink.summarising(true);
        },
      },
    ).finally(() => sink.summarising(false));

    const notices = row.parts;
    row.parts = [{ type: 'summary', text: summary.text, rows, tokensBefore: Math.round(size.tokens) }];
    if (summary.failure) row.parts.push({ type: 'error', error: notSummarised(summary.failure) });
    if (summary.usage) row.usage = summary.usage;
    row.status = 'complete';
    this.#summary = row;
    onUsage(summary.usage);
    sink.rowChanged(row);
    const next = beginRow();
    if (notices.length > 0) {
      next.parts.push(...notices);
      sink.rowChanged(next);
    }
    return next;
  }
}

const isTooLong = (error: unknown): boolean => error instanceof ModelError && error.code === 'context-too-long';

const hasAnswer = ({ parts }: Message): boolean => parts.some(({ type }) => type !== 'notice');

const notSummarised = ({ message, details }: ErrorInfo): ErrorInfo => ({
  code: 'not-summarised',
  message: `The older messages could not be summarised: ${message}`,
  hint: 'The model goes on with the beginnings of these messages. You still see all of them here.',
  details,
});
