import { randomUUID } from 'node:crypto';
import type { RequestAnswer, ServerQuestion, ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import type { ModelRef } from '@shared/contracts/message-types.ts';
import { AppError, toErrorInfo } from '../../../../ports/errors.ts';
import type { EventSink } from '../../../../ports/events.ts';
import type { Clock } from '../../../../ports/infrastructure.ts';
import type { ModelPort } from '../../../../ports/model.ts';
import { RpcError } from '../transports/errors.ts';
import { checkValues } from './check-values.ts';
import { readElicitation, readSampling } from './read-question.ts';
import { writeSample } from './write-sample.ts';

/** A server that asks without end is refused, so that the person can still find what others ask. */
export const MAX_PENDING_PER_SERVER = 20;
/** What the pictures of its requests may come to together, in characters of base64. */
const MAX_PENDING_IMAGE_DATA = 8_000_000;
/** The protocol's code for a sampling request that the person refused. */
const USER_REJECTED = -1;
const BUSY = -32000;

export interface ServerRequestsDeps {
  events: EventSink;
  clock: Clock;
  /** The provider of a model, as for a chat. Throws AppError where there is none. */
  openModel: (model: ModelRef) => ModelPort | Promise<ModelPort>;
  /** Opens an address outside the app; false where it is of a kind that is never opened. */
  openExternal: (url: string) => Promise<boolean>;
}

/** Where a request comes from, and what ends it. */
export interface RequestOrigin {
  serverId: string;
  serverName: string;
  /** The pool's id of the call that it belongs to, where that is known. */
  call?: string;
  /** Aborts when the server takes the request back, its call is stopped, or the connection goes. */
  signal: AbortSignal;
  /** Stops the clocks of the server's calls while the person is asked. Returns what lets them go on. */
  hold(): () => void;
  /** An address: the request counts as answered only when the person is done there, not when it was opened. */
  untilDone?: boolean;
}

type SamplingQuestion = Extract<ServerQuestion, { kind: 'sampling' }>;
type SamplingPhase = SamplingQuestion['phase'];

interface Pending {
  request: ServerRequest;
  readonly origin: RequestOrigin;
  /** What the server calls an address, to tell that the rest is done. */
  readonly elicitationId: string | undefined;
  /** Ends a model that is answering. */
  readonly ended: AbortController;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  close(): void;
}

/**
 * What servers ask of the person: forms, addresses to visit, and requests to a model. Each waits as long as it takes, is
 * answered once, and goes when its server takes it back or its connection ends.
 */
export class ServerRequests {
  readonly #deps: ServerRequestsDeps;
  readonly #pending = new Map<string, Pending>();

  constructor(deps: ServerRequestsDeps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  list(): ServerRequest[] {
    return [...this.#pending.values()].map(({ request }) => request);
  }

  /**
   * `elicitation/create`: the result for the server.
   * @throws RpcError for the server; the signal's reason
   */
  elicit(params: Record<string, unknown>, origin: RequestOrigin): Promise<unknown> {
    const id = typeof params.elicitationId === 'string' ? params.elicitationId : undefined;
    return this.#ask(readElicitation(params), origin, id);
  }

  /**
   * `sampling/createMessage`: the result for the server.
   * @throws RpcError for the server, also where the person refuses; the signal's reason
   */
  sample(params: Record<string, unknown>, origin: RequestOrigin): Promise<unknown> {
    return this.#ask(readSampling(params), origin);
  }

  /** The server says that what was begun at an address is done. */
  completed(serverId: string, elicitationId: string): void {
    for (const pending of this.#pending.values()) {
      const { question } = pending.request;
      const isMeant = pending.origin.serverId === serverId && pending.elicitationId === elicitationId;
      if (isMeant && question.kind === 'url' && question.opened) this.#settle(pending, { action: 'accept' });
    }
  }

  /** The call ended by itself: what is still asked stays, but belongs to it no more; what was visited for it is done. */
  callEnded(call: string): void {
    for (const pending of this.#pending.values()) {
      if (pending.request.call !== call) continue;
      const { call: _ended, ...request } = pending.request;
      if (request.question.kind === 'url' && request.question.opened) this.#settle(pending, { action: 'accept' });
      else this.#change(pending, request);
    }
  }

  /** @throws AppError `not-pending`, `invalid-answer`, `no-model`, `refused` */
  async answer(id: string, answer: RequestAnswer): Promise<void> {
    const pending = this.#pending.get(id);
    if (!pending) throw notPending();
    const { question } = pending.request;
    switch (answer.action) {
      case 'decline':
      case 'cancel':
        return this.#refuse(pending, answer.action);
      case 'accept': {
        if (question.kind !== 'form') throw misfit();
        const checked = checkValues(question.fields, answer.values);
        if (checked.ok) return this.#settle(pending, { action: 'accept', content: checked.content });
        throw new AppError('invalid-answer', `What was entered for “${checked.field}” can’t be sent.`, {
          hint: 'Check the field, and send it again.',
        });
      }
      case 'open':
        return this.#open(pending);
      case 'done':
        if (question.kind !== 'url' || !question.opened) throw misfit();
        return this.#settle(pending, { action: 'accept' });
      case 'approve':
        return this.#approve(pending, answer.model);
      case 'send': {
        if (question.kind !== 'sampling' || question.phase.name !== 'answered') throw misfit();
        const { model, cut } = question.phase;
        return this.#settle(pending, {
          role: 'assistant',
          content: { type: 'text', text: answer.text },
          model: model.modelId,
          stopReason: cut ? 'maxTokens' : 'endTurn',
        });
      }
    }
  }

  #ask(question: ServerQuestion, origin: RequestOrigin, elicitationId?: string): Promise<unknown> {
    origin.signal.throwIfAborted();
    const ofServer = [...this.#pending.values()].filter((pending) => pending.origin.serverId === origin.serverId);
    if (ofServer.length >= MAX_PENDING_PER_SERVER) {
      throw new RpcError(BUSY, `${MAX_PENDING_PER_SERVER} requests are waiting for the person already.`);
    }
    const imageData = ofServer.reduce((sum, { request }) => sum + imageDataOf(request.question), imageDataOf(question));
    if (imageData > MAX_PENDING_IMAGE_DATA) {
      throw new RpcError(BUSY, 'Too many pictures are waiting for the person already.');
    }
    const { serverId, serverName, call, signal } = origin;
    const request: ServerRequest = {
      id: randomUUID(),
      serverId,
      serverName,
      ...(call !== undefined && { call }),
      at: this.#deps.clock.now(),
      question,
    };
    return new Promise((resolve, reject) => {
      const letGo = origin.hold();
      const onAbort = () => {
        pending.close();
        reject(signal.reason);
      };
      const pending: Pending = {
        request,
        origin,
        elicitationId,
        ended: new AbortController(),
        resolve,
        reject,
        close: () => {
          if (!this.#pending.delete(request.id)) return;
          letGo();
          signal.removeEventListener('abort', onAbort);
          pending.ended.abort();
          this.#deps.events.emit({ type: 'mcpRequests.closed', payload: { id: request.id } });
        },
      };
      this.#pending.set(request.id, pending);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#deps.events.emit({ type: 'mcpRequests.changed', payload: { request } });
    });
  }

  #settle(pending: Pending, result: unknown): void {
    pending.close();
    pending.resolve(result);
  }

  #refuse(pending: Pending, action: 'decline' | 'cancel'): void {
    const isSampling = pending.request.question.kind === 'sampling';
    pending.close();
    if (!isSampling) pending.resolve({ action });
    else pending.reject(new RpcError(USER_REJECTED, 'The user rejected the sampling request'));
  }

  async #open(pending: Pending): Promise<void> {
    const { question } = pending.request;
    if (question.kind !== 'url') throw misfit();
    const opened = await this.#deps.openExternal(new URL(question.url).href);
    if (!opened) throw new AppError('refused', 'This kind of link is not opened.');
    if (!this.#pending.has(pending.request.id)) return;
    const isWatched = pending.elicitationId !== undefined || pending.origin.untilDone;
    if (!isWatched) return this.#settle(pending, { action: 'accept' });
    this.#change(pending, { ...pending.request, question: { ...question, opened: true } });
    // The server learns at once that the person agreed; what is shown stays until the rest is done.
    if (!pending.origin.untilDone) pending.resolve({ action: 'accept' });
  }

  /** Starts the model, whose answer comes as a change of the request. */
  #approve(pending: Pending, model: ModelRef): void {
    const { question } = pending.request;
    if (question.kind !== 'sampling' || question.phase.name === 'writing') throw misfit();
    void this.#write(pending, question, model);
  }

  /** Never rejects. */
  async #write(pending: Pending, question: SamplingQuestion, model: ModelRef): Promise<void> {
    const { signal } = pending.ended;
    const phase = (next: SamplingPhase) => {
      if (this.#pending.has(pending.request.id)) {
        this.#change(pending, { ...pending.request, question: { ...question, phase: next } });
      }
    };
    phase({ name: 'writing', model });
    try {
      const port = await this.#deps.openModel(model);
      const sample = await writeSample(port, model, question, signal);
      phase({ name: 'answered', model, ...sample });
    } catch (error) {
      if (!signal.aborted) phase({ name: 'failed', error: toErrorInfo(error) });
    }
  }

  #change(pending: Pending, request: ServerRequest): void {
    pending.request = request;
    this.#deps.events.emit({ type: 'mcpRequests.changed', payload: { request } });
  }
}

const imageDataOf = (question: ServerQuestion): number =>
  question.kind !== 'sampling'
    ? 0
    : question.messages.flatMap(({ images = [] }) => images).reduce((sum, { data }) => sum + data.length, 0);

const notPending = () =>
  new AppError('not-pending', 'This request does not wait for an answer any more.', {
    hint: 'Its server has taken it back, or it was answered before.',
  });

const misfit = () => new AppError('invalid-answer', 'This answer doesn’t fit what is asked.');
