import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { AttachmentPart, AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import { AppError, toErrorInfo } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { Clock, Logger } from '../ports/infrastructure.ts';
import type { ModelPort } from '../ports/model.ts';
import type { McpPool } from '../ports/tools.ts';
import type { WholeResults } from '../ports/whole-results.ts';
import { abortable, sleep } from '../turn/abortable.ts';
import type { Approvals } from '../turn/approval.ts';
import { closeOpenCalls, runTurn, type TurnResult } from '../turn/run-turn.ts';
import { INTERRUPTED_CODE } from '../turn/tool-messages.ts';
import { createMcpToolPort } from './mcp-tool-port.ts';
import { systemPrompt } from './system-prompt.ts';
import { titleFrom } from './title.ts';
import { toView } from './to-view.ts';
import { TurnRecorder } from './turn-recorder.ts';

export interface CompletionDeps {
  mcpService: McpPool;
  store: ConversationStore;
  approvals: Approvals;
  /**
   * The provider of a model. Throws AppError `no-model` when there is none such, and the message is not taken; any other
   * error (a key that is missing or can't be read) is shown as the answer.
   */
  openModel: (model: ModelRef) => ModelPort | Promise<ModelPort>;
  /** The content of what a message is sent with, as it is now. Throws AppError for what can't be read. Default: nothing can. */
  readAttachments?: (requests: readonly AttachmentRequest[], signal: AbortSignal) => Promise<AttachmentPart[]>;
  events: EventSink;
  clock: Clock;
  logger: Logger;
  /** Keeps results of tools that are too large for a message. Default: what is cut is lost. */
  results?: WholeResults;
  /** Makes ids of messages. Default: random UUIDs. */
  newId?: () => string;
}

/** A turn that runs, or is about to. */
interface Run {
  readonly conversationId: string;
  readonly controller: AbortController;
  /** The conversation's rows, the one being written included. */
  readonly rows: Message[];
  readonly done: PromiseWithResolvers<void>;
}

/** A model, or why it can't be asked. */
type OpenedModel = { port: ModelPort } | { error: unknown };

const INTERRUPTED: ErrorInfo = {
  code: INTERRUPTED_CODE,
  message: 'The app ended before this call was finished.',
  hint: 'It may have had an effect. Check before you repeat it.',
};

/** How long `shutdown` waits for turns to close their rows. They do that at once; this is for the unforeseen. */
const SHUTDOWN_MS = 2_000;

/**
 * Chats: one turn at a time in a conversation, any number of conversations at once. What happens in a turn is stored and
 * comes out as events of the `completion` contract.
 */
export class CompletionService {
  private readonly mcpService: McpPool;
  readonly #deps: CompletionDeps;
  readonly #newId: () => string;
  readonly #runs = new Map<string, Run>();
  #closing = false;

  constructor(deps: CompletionDeps) {
    this.mcpService = deps.mcpService;
    this.#deps = deps;
    this.#newId = deps.newId ?? (() => crypto.randomUUID());
  }

  /**
   * Stores the person's message and starts a turn; resolves with the message's id as soon as it runs. Throws AppError
   * `not-found`, `busy` while a turn runs in this conversation, `no-model`, `store-failed`, or what reading an attachment
   * throws; the message is not taken then.
   */
  async chatInSession(
    sessionId: string,
    { text, model, attachments = [] }: { text: string; model: ModelRef; attachments?: readonly AttachmentRequest[] },
  ): Promise<{ messageId: string }> {
    const conversation = this.#conversation(sessionId);
    const run = this.#reserve(sessionId);
    return this.#starting(run, async () => {
      const opened = await this.#openModel(model, run);
      const attached = await this.#readAttachments(attachments, run.controller.signal);
      const message: Message = {
        id: this.#newId(),
        conversationId: sessionId,
        parentId: run.rows.at(-1)?.id ?? null,
        role: 'user',
        parts: [{ type: 'text', text }, ...attached],
        status: 'complete',
        createdAt: this.#deps.clock.now(),
      };
      this.#deps.store.putMessage(message);
      run.rows.push(message);
      this.#deps.events.emit({ type: 'completion.message', payload: { message: toView(message) } });
      this.#keepConversation(conversation, text, model);
      this.#start(run, opened, model);
      return { messageId: message.id };
    });
  }

  /**
   * Answers the last message again. The last answer is replaced, unless calls of it have run: that is never undone, so the
   * new answer follows it. Throws like `chatInSession`; `not-found` when there is nothing to answer.
   */
  async retry(conversationId: string, { model }: { model: ModelRef }): Promise<void> {
    const conversation = this.#conversation(conversationId);
    const run = this.#reserve(conversationId);
    await this.#starting(run, async () => {
      if (run.rows.length === 0) throw new AppError('not-found', 'There is no message to answer yet.');
      const opened = await this.#openModel(model, run);
      const replaced = isReplaceable(run.rows.at(-1)) ? run.rows.pop() : undefined;
      this.#keepConversation(conversation, '', model);
      this.#start(run, opened, model, replaced);
    });
  }

  /** Goes on after a turn that ended to ask whether it should. Throws like `chatInSession`; `not-found` after any other. */
  async proceed(conversationId: string, { model }: { model: ModelRef }): Promise<void> {
    const conversation = this.#conversation(conversationId);
    const run = this.#reserve(conversationId);
    await this.#starting(run, async () => {
      if (!asksToProceed(run.rows.at(-1))) throw new AppError('not-found', 'There is nothing to go on with.');
      const opened = await this.#openModel(model, run);
      this.#keepConversation(conversation, '', model);
      this.#start(run, opened, model);
    });
  }

  /** Stops the turn, wherever it is. The conversation can go on when this resolves. Throws `not-running` when none runs. */
  async stop(conversationId: string): Promise<void> {
    if (!this.#runs.has(conversationId)) throw new AppError('not-running', 'Nothing is running in this conversation.');
    await this.stopIfRunning(conversationId);
  }

  /** The same, and fine with a conversation in which nothing runs: for one that is to be removed. */
  async stopIfRunning(conversationId: string): Promise<void> {
    const run = this.#runs.get(conversationId);
    run?.controller.abort();
    await run?.done.promise;
  }

  /**
   * The person's answer to a call that asks. Throws `not-running` when that call doesn't wait (any more), `store-failed` when
   * an answer for ever can't be kept; the call goes on waiting then.
   */
  approve(conversationId: string, callId: string, decision: ApprovalDecision): void {
    if (!this.#deps.approvals.answer(conversationId, callId, decision)) {
      throw new AppError('not-running', 'This call does not wait for an answer any more.');
    }
  }

  isRunning(conversationId: string): boolean {
    return this.#runs.has(conversationId);
  }

  /** Ids of its calls that wait for the person, oldest first. */
  waitingCalls(conversationId: string): string[] {
    return this.#deps.approvals.pending(conversationId).map(({ callId }) => callId);
  }

  /** The conversation as it stands at this moment, the answer being written included, for the renderer. */
  liveMessages(conversationId: string): Message[] {
    const rows = this.#runs.get(conversationId)?.rows ?? this.#deps.store.messages(conversationId);
    return rows.map(toView);
  }

  /** At the start, before anything runs: closes what a crash left open. A store that refuses is logged. */
  recoverInterrupted(): void {
    const { store, clock, logger } = this.#deps;
    try {
      const rows = store.unfinishedMessages();
      for (const row of rows) {
        closeOpenCalls(row, clock.now(), INTERRUPTED);
        row.parts.push({ type: 'notice', notice: 'interrupted' });
        row.status = 'interrupted';
        store.putMessage(row);
      }
      if (rows.length > 0) logger.info('Closed messages that were interrupted', { count: rows.length });
    } catch (error) {
      logger.error('Messages that were interrupted could not be closed', { error: String(error) });
    }
  }

  /** Stops every turn, with what was written so far kept, and takes no more. Waits at most two seconds. */
  async shutdown(): Promise<void> {
    this.#closing = true;
    const runs = [...this.#runs.values()];
    for (const run of runs) run.controller.abort();
    const giveUp = new AbortController();
    await Promise.race([
      Promise.all(runs.map((run) => run.done.promise)),
      sleep(SHUTDOWN_MS, giveUp.signal).catch(() => undefined),
    ]);
    giveUp.abort();
  }

  #conversation(conversationId: string): Conversation {
    const conversation = this.#deps.store.get(conversationId);
    if (!conversation) throw new AppError('not-found', 'This conversation does not exist any more.');
    return conversation;
  }

  /** Takes the conversation's one place for a turn, before anything is waited for. */
  #reserve(conversationId: string): Run {
    if (this.#closing) throw new AppError('busy', 'The app is closing.');
    if (this.#runs.has(conversationId)) {
      throw new AppError('busy', 'An answer is still being written in this conversation.', {
        hint: 'Wait for it, or stop it first.',
      });
    }
    const run: Run = {
      conversationId,
      controller: new AbortController(),
      rows: this.#deps.store.messages(conversationId),
      done: Promise.withResolvers<void>(),
    };
    this.#runs.set(conversationId, run);
    return run;
  }

  /** Gives the place back when the turn doesn't come to start. */
  async #starting<Value>(run: Run, start: () => Promise<Value>): Promise<Value> {
    try {
      return await start();
    } catch (error) {
      this.#release(run);
      throw error;
    }
  }

  #release(run: Run): void {
    this.#runs.delete(run.conversationId);
    run.done.resolve();
  }

  async #openModel(model: ModelRef, run: Run): Promise<OpenedModel> {
    try {
      return { port: await abortable(Promise.resolve(this.#deps.openModel(model)), run.controller.signal) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'no-model') throw error;
      return { error };
    }
  }

  async #readAttachments(requests: readonly AttachmentRequest[], signal: AbortSignal): Promise<AttachmentPart[]> {
    if (requests.length === 0) return [];
    const { readAttachments } = this.#deps;
    if (!readAttachments) throw new AppError('not-supported', 'Nothing can be attached here.');
    return abortable(readAttachments(requests, signal), signal);
  }

  /** Names an unnamed conversation, notes the model, and moves it to the head of the list. Not worth losing a turn for. */
  #keepConversation(conversation: Conversation, text: string, model: ModelRef): void {
    const { store, events, logger } = this.#deps;
    const { id } = conversation;
    try {
      const title = conversation.title === '' ? titleFrom(text) : '';
      if (title !== '') store.rename(id, title);
      if (conversation.model?.providerId !== model.providerId || conversation.model.modelId !== model.modelId) {
        store.setModel(id, model);
      }
      events.emit({ type: 'conversations.changed', payload: { conversation: store.touch(id) } });
    } catch (error) {
      logger.warn('The conversation could not be updated', { conversationId: id, error: String(error) });
    }
  }

  /** Starts the turn in the background. `replaced` is the row whose place its first answer takes. */
  #start(run: Run, opened: OpenedModel, model: ModelRef, replaced?: Message): void {
    const { conversationId } = run;
    this.#deps.events.emit({ type: 'completion.turnStarted', payload: { conversationId } });
    void this.#run(run, opened, model, replaced)
      .catch((error: unknown): TurnResult => {
        this.#deps.logger.error('A turn failed', { conversationId, error: String(error) });
        return { outcome: 'failed' };
      })
      .then((result) => {
        this.#release(run);
        this.#deps.events.emit({ type: 'completion.turnEnded', payload: { conversationId, ...result } });
      });
  }

  async #run(run: Run, opened: OpenedModel, model: ModelRef, replaced: Message | undefined): Promise<TurnResult> {
    const { approvals, clock, logger } = this.#deps;
    const { conversationId, rows } = run;
    const { signal } = run.controller;
    const recorder = new TurnRecorder(conversationId, this.#deps);
    let place: Pick<Message, 'id' | 'createdAt'> | undefined = replaced;
    const nextRow = (): Message => {
      const { id, createdAt } = place ?? { id: this.#newId(), createdAt: clock.now() };
      place = undefined;
      return { ...emptyAnswer(model), id, createdAt, conversationId, parentId: rows.at(-1)?.id ?? null };
    };
    if ('error' in opened) {
      const row = nextRow();
      const outcome = signal.aborted ? 'stopped' : 'failed';
      if (!signal.aborted) row.parts.push({ type: 'error', error: toErrorInfo(opened.error) });
      row.status = outcome;
      rows.push(row);
      recorder.rowChanged(row);
      return { outcome };
    }
    const turn = runTurn({
      conversationId,
      rows,
      nextRow,
      model: opened.port,
      modelId: model.modelId,
      tools: createMcpToolPort(this.mcpService, {
        conversationId,
        logger,
        results: this.#deps.results,
        onWaiting: (serverNames) => recorder.serversWait(serverNames),
      }),
      approvals,
      systemPrompt: ({ serverNames }) => systemPrompt({ now: clock.now(), serverNames }),
      sink: recorder,
      signal,
      clock,
    });
    return turn.finally(() => recorder.end());
  }
}

const emptyAnswer = ({ providerId, modelId }: ModelRef) => ({
  role: 'assistant' as const,
  parts: [],
  status: 'streaming' as const,
  model: { providerId, modelId },
});

/** An answer none of whose calls has begun to run. */
const isReplaceable = (row: Message | undefined): boolean =>
  row?.role === 'assistant' && row.parts.every((part) => part.type !== 'tool' || part.startedAt === undefined);

const asksToProceed = (row: Message | undefined): boolean =>
  row?.parts.some((part) => part.type === 'notice' && ASKING_NOTICES.has(part.notice)) ?? false;

const ASKING_NOTICES: ReadonlySet<string> = new Set(['round-limit', 'repeating', 'token-budget']);
