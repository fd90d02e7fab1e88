import type { ApprovalDecision, Waiting } from '@shared/contracts/completion.contract.ts';
import type { AttachmentPart, AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import type { Engine } from '../ports/engine.ts';
import { AppError } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { Clock, Logger } from '../ports/infrastructure.ts';
import type { ModelPort } from '../ports/model.ts';
import { abortable, sleep } from '../turn/abortable.ts';
import type { Approvals } from '../turn/approval.ts';
import type { TurnResult } from '../turn/run-turn.ts';
import { answer, type OpenedModel, type Run } from './answer.ts';
import { asksToProceed, isReplaceable, isUnfinished } from './last-row.ts';
import { recoverInterrupted } from './recover-interrupted.ts';
import { titleFrom } from './title.ts';
import { toView } from './to-view.ts';

export interface CompletionDeps {
  /** What answers in a conversation. */
  engineOf: (conversation: Conversation) => Engine;
  store: ConversationStore;
  /** Where the calls wait that ask the person, whichever engine runs them. */
  approvals: Pick<Approvals, 'answer' | 'pending'>;
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
  /** Makes ids of messages. Default: random UUIDs. */
  newId?: () => string;
}

/** How long `shutdown` waits for turns to close their rows, which they do at once, and for what their engines opened. */
const SHUTDOWN_MS = 2_000;

/**
 * Conversations: one turn at a time in each, any number of them at once. Their engines say what a turn runs with. What
 * happens in a turn is stored and comes out as events of the `completion` contract.
 */
export class CompletionService {
  readonly #deps: CompletionDeps;
  readonly #newId: () => string;
  readonly #runs = new Map<string, Run>();
  /** What engines opened for turns that were stopped before it was there. */
  readonly #lateEnds = new Set<Promise<void>>();
  #closing = false;

  constructor(deps: CompletionDeps) {
    this.#deps = deps;
    this.#newId = deps.newId ?? (() => crypto.randomUUID());
  }

  /**
   * Stores the person's message and starts a turn; resolves with the message's id as soon as it runs. Throws AppError
   * `not-found`, `run-unreadable`, `busy` while a turn runs in this conversation, `no-model`, `store-failed`, or what reading
   * an attachment throws; the message is not taken then.
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
      const message = this.#putUserMessage(run, [{ type: 'text', text }, ...attached]);
      run.rows.push(message);
      this.#keepConversation(conversation, text, model);
      this.#start(run, conversation, opened, model);
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
      this.#start(run, conversation, opened, model, replaced);
    });
  }

  /**
   * Goes on after a turn that ended to ask whether it should; with a run of the agent also where it was stopped, failed or was
   * interrupted. Nothing is replaced. Throws like `chatInSession`; `not-found` when there is nothing to go on with.
   */
  async proceed(conversationId: string, { model }: { model: ModelRef }): Promise<void> {
    await this.#goOn(conversationId, model, ({ agent }, last) => {
      if (!asksToProceed(last) && !(agent && isUnfinished(last))) {
        throw new AppError('not-found', 'There is nothing to go on with.');
      }
    });
  }

  /**
   * Stores what the person says while a turn runs. The model reads it with its next request; where the turn makes none any
   * more, another one answers it, unless the person has stopped the turn. Throws `not-running`, `store-failed`.
   */
  say(conversationId: string, text: string): void {
    const run = this.#runs.get(conversationId);
    if (!run?.started || run.controller.signal.aborted) throw notRunning();
    run.said.push(this.#putUserMessage(run, [{ type: 'text', text }]));
  }

  /** Stops the turn, wherever it is. The conversation can go on when this resolves. Throws `not-running` when none runs. */
  async stop(conversationId: string): Promise<void> {
    if (!this.#runs.has(conversationId)) throw notRunning();
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

  /** What the turn waits for at this moment; null when it doesn't wait, or none runs. */
  waits(conversationId: string): Waiting {
    return this.#runs.get(conversationId)?.recorder?.waits ?? null;
  }

  /** Ids of its calls that wait for the person, oldest first. */
  waitingCalls(conversationId: string): string[] {
    return this.#deps.approvals.pending(conversationId).map(({ callId }) => callId);
  }

  /** The conversation as it stands at this moment, the answer being written included, for the renderer. */
  liveMessages(conversationId: string): Message[] {
    const run = this.#runs.get(conversationId);
    const rows = run ? [...run.rows, ...run.said] : this.#deps.store.messages(conversationId);
    return rows.map(toView);
  }

  /** At the start, before anything runs: closes what a crash left open. A store that refuses is logged. */
  recoverInterrupted(): void {
    recoverInterrupted(this.#deps);
  }

  /** Stops every turn, with what was written so far kept, and takes no more. Waits at most two seconds. */
  async shutdown(): Promise<void> {
    this.#closing = true;
    const runs = [...this.#runs.values()];
    for (const run of runs) run.controller.abort();
    const giveUp = new AbortController();
    await Promise.race([
      Promise.all([...runs.map((run) => run.done.promise), ...this.#lateEnds]),
      sleep(SHUTDOWN_MS, giveUp.signal).catch(() => undefined),
    ]);
    giveUp.abort();
  }

  #conversation(conversationId: string): Conversation {
    const conversation = this.#deps.store.get(conversationId);
    if (!conversation) throw new AppError('not-found', 'This conversation does not exist any more.');
    const { agentError } = conversation;
    if (agentError) throw new AppError(agentError.code, agentError.message, agentError);
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
      said: [],
      started: false,
      done: Promise.withResolvers<void>(),
    };
    this.#runs.set(conversationId, run);
    return run;
  }

  /** Starts a turn over the rows as they are. `check` throws where that makes no sense. */
  async #goOn(
    conversationId: string,
    model: ModelRef,
    check?: (conversation: Conversation, last: Message | undefined) => void,
  ): Promise<void> {
    const conversation = this.#conversation(conversationId);
    const run = this.#reserve(conversationId);
    await this.#starting(run, async () => {
      check?.(conversation, run.rows.at(-1));
      const opened = await this.#openModel(model, run);
      this.#keepConversation(conversation, '', model);
      this.#start(run, conversation, opened, model);
    });
  }

  /** Stores and shows what the person says, behind everything else. */
  #putUserMessage({ conversationId, rows, said }: Run, parts: Message['parts']): Message {
    const { store, clock, events } = this.#deps;
    const message: Message = {
      id: this.#newId(),
      conversationId,
      parentId: (said.at(-1) ?? rows.at(-1))?.id ?? null,
      role: 'user',
      parts,
      status: 'complete',
      createdAt: clock.now(),
    };
    store.putMessage(message);
    events.emit({ type: 'completion.message', payload: { message: toView(message) } });
    return message;
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
  #start(run: Run, conversation: Conversation, opened: OpenedModel, model: ModelRef, replaced?: Message): void {
    const { conversationId } = run;
    const { events, logger, engineOf } = this.#deps;
    run.started = true;
    events.emit({ type: 'completion.turnStarted', payload: { conversationId } });
    void answer(
      { run, conversation, engine: engineOf(conversation), opened, model, replaced },
      { ...this.#deps, newId: this.#newId, onLateEnd: (ended) => this.#awaitLateEnd(ended) },
    )
      .catch((error: unknown): TurnResult => {
        logger.error('A turn failed', { conversationId, error: String(error) });
        return { outcome: 'failed' };
      })
      .then((result) => {
        this.#release(run);
        events.emit({ type: 'completion.turnEnded', payload: { conversationId, ...result } });
        if (run.said.length > 0 && !run.controller.signal.aborted) this.#answerSaid(conversationId, model);
      });
  }

  #awaitLateEnd(ended: Promise<void>): void {
    this.#lateEnds.add(ended);
    void ended.then(() => this.#lateEnds.delete(ended));
  }

  /** Answers what was said too late for the turn before. */
  #answerSaid(conversationId: string, model: ModelRef): void {
    this.#goOn(conversationId, model).catch((error: unknown) => {
      this.#deps.logger.warn('What was said at the end of a turn is not answered', {
        conversationId,
        error: String(error),
      });
    });
  }
}

const notRunning = () => new AppError('not-running', 'Nothing is running in this conversation.');
