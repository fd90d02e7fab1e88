import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { Message, MessagePart, Usage } from '@shared/contracts/message-types.ts';
import { AppError, toErrorInfo } from '../ports/errors.ts';
import type { Clock } from '../ports/infrastructure.ts';
import type { ModelPort, ModelRequest } from '../ports/model.ts';
import type { ApprovalPort, ToolPort, ToolSet } from '../ports/tools.ts';
import { abortable } from './abortable.ts';
import { CallIds } from './call-ids.ts';
import { ContextKeeper } from './compaction.ts';
import { executeCalls } from './execute-calls.ts';
import { RepeatDetector } from './repeat-detector.ts';
import { withRetry } from './retry.ts';
import { readResponse, StepAccumulator, type StepResult } from './step.ts';
import { tokensOf } from './token-budget.ts';
import { textWithoutResult } from './tool-messages.ts';
import type { TurnSink } from './turn-sink.ts';

export interface TurnInput {
  conversationId: string;
  /** The conversation so far, oldest first, as it was left by earlier turns. The turn appends its own rows to it. */
  rows: Message[];
  /** A new, empty assistant row with status `streaming`, behind the last of `rows`. */
  nextRow: () => Message;
  model: ModelPort;
  modelId: string;
  tools: ToolPort;
  approvals: ApprovalPort;
  /** The system prompt of a request that goes out with these tools. */
  systemPrompt: (tools: ToolSet) => string | undefined;
  sink: TurnSink;
  /** Stops the turn, wherever it is. */
  signal: AbortSignal;
  clock: Clock;
  /** Model responses before the person is asked whether to go on. Default {@link MAX_ROUNDS}. */
  maxRounds?: number;
  /** Tokens that the conversation may use before the person is asked whether to go on. Default: no limit. */
  tokenBudget?: number;
  /** What the person has said since it was last called, stored already; the next request carries it. Default: nothing. */
  between?: () => Message[];
}

export type TurnOutcome = 'complete' | 'stopped' | 'failed' | 'round-limit' | 'repeating' | 'token-budget';

export interface TurnResult {
  outcome: TurnOutcome;
  /** Of all its responses; undefined when the model didn't say. */
  usage?: Usage;
}

type NoticePart = Extract<MessagePart, { type: 'notice' }>;
type NoticeKind = NoticePart['notice'];
type NoticeValues = NonNullable<NoticePart['values']>;

const MAX_ROUNDS = 25;
/** How often in a turn a paused answer is sent back to be gone on with. */
export const MAX_PAUSES = 5;

/** On calls that were cut off with the answer that held them, so that the model isn't told that the person cancelled them. */
const BROKEN_OFF: ErrorInfo = { code: 'broken-stream', message: 'The tool was not run: the answer broke off before.' };
const FILTERED: ErrorInfo = {
  code: 'filtered',
  message: 'The tool was not run: a filter of the provider ended the answer.',
};

/**
 * The tool loop: asks the model, runs the calls it makes, asks again with the results, until it answers without a call, the
 * person stops it, the model fails, it goes round in circles, or its rounds or tokens are used up (the person can let it go on with
 * another turn over the same rows). Every row is closed when it returns, whatever happened: no call is left open, what was
 * already written is kept, and the same conversation can go on at once. Rejects only when the sink throws.
 */
export async function runTurn(input: TurnInput): Promise<TurnResult> {
  const { rows, sink, signal, maxRounds = MAX_ROUNDS } = input;
  const callIds = new CallIds(rows);
  const repeats = new RepeatDetector();
  const spent = new UsageSum();
  const notices = new RequestNotices(sink);
  let pauses = 0;
  /** The row that is being written. */
  let row: Message;
  const beginRow = () => {
    row = input.nextRow();
    rows.push(row);
    sink.rowChanged(row);
    return row;
  };
  const context = new ContextKeeper({ ...input, beginRow, onUsage: (usage) => spent.add(usage) });

  for (let round = 1; ; round++) {
    rows.push(...(input.between?.() ?? []));
    row = beginRow();
    try {
      const toolSet = await abortable(input.tools.prepare(input.model.toolFormat, signal), signal);
      const late = toolSet.lateServers;
      notices.say(row, 'servers-late', late.length > 0 ? { servers: late.join(', ') } : undefined);
      notices.say(row, 'tools-collided', collided(toolSet));
      notices.say(row, 'server-failed', failed(toolSet));
      const system = input.systemPrompt(toolSet);
      const step = await context.fit({ row, toolSet, system }, (row, messages) =>
        ask(input, row, { system, messages }, toolSet, callIds, notices),
      );
      const end = await settle(step, row, toolSet);
      row.status = 'complete';
      spent.add(row.usage);
      sink.rowChanged(row);
      if (end) return { outcome: end, usage: spent.total };
    } catch (thrown) {
      spent.add(row.usage);
      return { outcome: closeRow(row, thrown, input), usage: spent.total };
    }

    /** Runs the calls of a response. Says how the turn ends, or undefined when another response is due. */
    async function settle(step: StepResult, row: Message, toolSet: ToolSet): Promise<TurnOutcome | undefined> {
      if (step.reason === 'content-filter') {
        closeOpenCalls(row, input.clock.now(), FILTERED);
        row.parts.push(notice('filtered'));
        return 'complete';
      }
      if (step.reason === 'length') row.parts.push(notice('output-limit'));
      if (step.calls.length === 0) return settleAnswer(step, row);

      sink.checkpoint(row);
      await executeCalls(step.calls, { ...input, row, toolSet });
      signal.throwIfAborted();
      if (repeats.add(step.calls.map(({ part }) => roundCall(part, input.tools)))) {
        row.parts.push(notice('repeating'));
        return 'repeating';
      }
      return isAtLimit() ? endAtLimit(row) : undefined;
    }

    function settleAnswer(step: StepResult, row: Message): TurnOutcome | undefined {
      if (step.reason === 'pause') {
        pauses++;
        return pauses <= MAX_PAUSES && !isAtLimit() ? undefined : endAtLimit(row);
      }
      // Models may end with nothing after a tool's result, but not answer a person with it.
      const isEmpty = row.parts.every(
        (part) => part.type === 'notice' || (part.type === 'text' && part.text.trim() === ''),
      );
      if (isEmpty && round === 1 && step.reason !== 'length') throw emptyAnswer();
      return 'complete';
    }

    function isAtLimit(): boolean {
      return round >= maxRounds || isBudgetSpent();
    }

    function isBudgetSpent(): boolean {
      return input.tokenBudget !== undefined && tokensOf(rows).sinceAsked >= input.tokenBudget;
    }

    function endAtLimit(row: Message): TurnOutcome {
      if (isBudgetSpent()) {
        row.parts.push(notice('token-budget', { tokens: tokensOf(rows).total }));
        return 'token-budget';
      }
      row.parts.push(notice('round-limit', { rounds: round }));
      return 'round-limit';
    }
  }
}

const collided = ({ collisions = [] }: ToolSet): NoticeValues | undefined =>
  collisions.length > 0 ? { count: collisions.length, tools: collisions.join('; ') } : undefined;

const failed = ({ failedServers = [] }: ToolSet): NoticeValues | undefined =>
  failedServers.length > 0
    ? {
        servers: failedServers.map(({ name }) => name).join(', '),
        reason: failedServers.map(({ error }) => error.message).join(' '),
        details: failedServers.flatMap(({ error }) => error.details ?? []).join('\n'),
      }
    : undefined;

/** One request to the model, repeated while it is refused for a while, read into the row. */
async function ask(
  input: TurnInput,
  row: Message,
  history: Pick<ModelRequest, 'system' | 'messages'>,
  toolSet: ToolSet,
  callIds: CallIds,
  notices: RequestNotices,
): Promise<StepResult> {
  const { model, modelId, sink, signal, clock } = input;
  const request: ModelRequest = {
    modelId,
    ...history,
    tools: toolSet.tools,
    signal,
    onToolsLeftOut: (names, reason) => {
      const tools = names.map((name) => toolSet.find(name)?.name ?? name).join(', ');
      notices.say(row, 'tools-refused', { count: names.length, tools, reason });
    },
  };
  const accumulator = new StepAccumulator(row, (name) => toolSet.find(name), callIds, sink);
  return withRetry(() => readResponse(model.stream(request), accumulator, signal), {
    signal,
    clock,
    onWait: (wait) => sink.retryWait(wait),
    mayRepeat: () => !accumulator.begun,
  });
}

/** Tells the person what is amiss with a request, in its row; not again in this turn while it stays the same. */
class RequestNotices {
  readonly #sink: TurnSink;
  readonly #said = new Map<NoticeKind, string>();

  constructor(sink: TurnSink) {
    this.#sink = sink;
  }

  /** `values` are undefined when nothing is amiss. */
  say(row: Message, kind: NoticeKind, values: NoticeValues | undefined): void {
    const said = values && JSON.stringify(values);
    if (said === this.#said.get(kind)) return;
    if (said === undefined) {
      this.#said.delete(kind);
      return;
    }
    this.#said.set(kind, said);
    row.parts.push(notice(kind, values));
    this.#sink.rowChanged(row);
  }
}

/** Ends a row that was not finished: stopped by the person, or failed. */
function closeRow(row: Message, thrown: unknown, { signal, sink, clock }: TurnInput): TurnOutcome {
  const outcome = signal.aborted ? 'stopped' : 'failed';
  closeOpenCalls(row, clock.now(), signal.aborted ? undefined : BROKEN_OFF);
  if (!signal.aborted) row.parts.push({ type: 'error', error: toErrorInfo(thrown) });
  row.status = outcome;
  sink.rowChanged(row);
  return outcome;
}

/** Closes the calls of a row that are still open as cancelled; with an error where it wasn't the person who cancelled. */
export function closeOpenCalls(row: Message, now: number, error?: ErrorInfo): void {
  for (const part of row.parts) {
    if (part.type !== 'tool' || !OPEN_STATES.has(part.state)) continue;
    part.state = 'cancelled';
    part.endedAt = now;
    if (error) part.error = error;
    delete part.progress;
  }
}

const OPEN_STATES: ReadonlySet<string> = new Set(['streaming', 'awaiting-approval', 'running']);

const emptyAnswer = () =>
  new AppError('empty-answer', 'The model gave an empty answer.', { hint: 'Try again, or choose another model.' });

const notice = (kind: NoticeKind, values?: NoticeValues): NoticePart => ({
  type: 'notice',
  notice: kind,
  ...(values && { values }),
});

const roundCall = (part: Extract<MessagePart, { type: 'tool' }>, tools: ToolPort) => ({
  name: part.wireName,
  args: part.args ?? part.argsText,
  result: part.result ? [part.result.isError, tools.resultForModel(part.result)] : textWithoutResult(part),
});

class UsageSum {
  total: Usage | undefined;

  add(usage: Usage | undefined): void {
    if (!usage) return;
    const { total } = this;
    const sum = (a: number | undefined, b: number | undefined) =>
      a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
    this.total = {
      inputTokens: (total?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (total?.outputTokens ?? 0) + usage.outputTokens,
      reasoningTokens: sum(total?.reasoningTokens, usage.reasoningTokens),
      cachedInputTokens: sum(total?.cachedInputTokens, usage.cachedInputTokens),
    };
  }
}
