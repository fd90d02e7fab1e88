import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import type { Engine, TurnSetup } from '../ports/engine.ts';
import { toErrorInfo } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { Clock, Logger } from '../ports/infrastructure.ts';
import type { ModelPort } from '../ports/model.ts';
import { abortable } from '../turn/abortable.ts';
import { runTurn, type TurnResult } from '../turn/run-turn.ts';
import { TurnRecorder } from './turn-recorder.ts';

/** A turn that runs, or is about to. */
export interface Run {
  readonly conversationId: string;
  readonly controller: AbortController;
  /** The conversation's rows, the one being written included. */
  readonly rows: Message[];
  /** What the person has said meanwhile: stored and shown, and not yet among `rows`. */
  readonly said: Message[];
  /** Set once its first message is stored. */
  started: boolean;
  /** What it shows of itself, once it has begun. */
  recorder?: TurnRecorder;
  readonly done: PromiseWithResolvers<void>;
}

/** A model, or why it can't be asked. */
export type OpenedModel = { port: ModelPort } | { error: unknown };

export interface AnswerInput {
  run: Run;
  conversation: Conversation;
  engine: Engine;
  opened: OpenedModel;
  model: ModelRef;
  /** The row whose place the first answer takes. */
  replaced?: Message;
}

export interface AnswerDeps {
  store: ConversationStore;
  events: EventSink;
  clock: Clock;
  logger: Logger;
  newId: () => string;
  /** Told of an engine's setup that comes when the turn was stopped already; it is ended as soon as it is there. */
  onLateEnd: (ended: Promise<void>) => void;
}

/** Answers in a conversation: one turn over its rows. What the engine opened for it has ended when this resolves. */
export async function answer(input: AnswerInput, deps: AnswerDeps): Promise<TurnResult> {
  const { run, opened, model } = input;
  const { conversationId, rows, said } = run;
  const { signal } = run.controller;
  const recorder = new TurnRecorder(conversationId, deps);
  run.recorder = recorder;
  let place: Pick<Message, 'id' | 'createdAt'> | undefined = input.replaced;
  const nextRow = (): Message => {
    const { id, createdAt } = place ?? { id: deps.newId(), createdAt: deps.clock.now() };
    place = undefined;
    return { ...emptyAnswer(model), id, createdAt, conversationId, parentId: rows.at(-1)?.id ?? null };
  };

  let setup: TurnSetup;
  let port: ModelPort;
  try {
    if ('error' in opened) throw opened.error;
    port = opened.port;
    setup = await openEngine(input, recorder, deps);
  } catch (error) {
    const row = nextRow();
    const outcome = signal.aborted ? 'stopped' : 'failed';
    if (!signal.aborted) row.parts.push({ type: 'error', error: toErrorInfo(error) });
    row.status = outcome;
    rows.push(row);
    recorder.rowChanged(row);
    recorder.end();
    return { outcome };
  }
  try {
    return await runTurn({
      ...setup,
      conversationId,
      rows,
      nextRow,
      model: port,
      modelId: model.modelId,
      between: () => said.splice(0),
      sink: recorder,
      signal,
      clock: deps.clock,
    });
  } finally {
    recorder.end();
    await setup.dispose?.();
  }
}

async function openEngine(
  { run, conversation, engine }: AnswerInput,
  recorder: TurnRecorder,
  { onLateEnd }: AnswerDeps,
): Promise<TurnSetup> {
  const { rows, controller } = run;
  const { signal } = controller;
  const onWaiting = (serverNames: string[] | null) => recorder.serversWait(serverNames);
  const opening = (async () => engine.open({ conversation, rows, signal, onWaiting }))();
  try {
    return await abortable(opening, signal);
  } catch (error) {
    // Where opening failed, there is nothing to end.
    if (signal.aborted) onLateEnd(opening.then((setup) => setup.dispose?.()).catch(() => undefined));
    throw error;
  }
}

const emptyAnswer = ({ providerId, modelId }: ModelRef) => ({
  role: 'assistant' as const,
  parts: [],
  status: 'streaming' as const,
  model: { providerId, modelId },
});
