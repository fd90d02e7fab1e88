import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { ToolContext } from './ITool.ts';

/** Longest silence of a tool of an MCP server, and longest time of a command in the shell, in milliseconds. */
export const CALL_LIMIT_MS = 120_000;

/** What a limited call is made with. */
export interface LimitedCall {
  /** Aborts when the time is over, and when the run is stopped. */
  signal: AbortSignal;
  /** To be called with the call's progress: the time begins anew. */
  onProgress: (progress: CallProgress) => void;
  /** To be called when the call begins to wait for a person, and when that is over: the time stands still meanwhile. */
  onWaiting: (isWaiting: boolean) => void;
}

/**
 * A race of a call against {@link CALL_LIMIT_MS} and the run's signal. A call that loses is told by its signal to end.
 * @param what the call as a person would name it, for the messages
 * @throws AppError `call-timeout`, `cancelled`; whatever the call throws
 */
export async function withCallLimit<T>(
  what: string,
  context: Pick<ToolContext, 'signal' | 'onProgress'>,
  call: (limited: LimitedCall) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const lost = Promise.withResolvers<never>();
  const lose = (reason: AppError) => {
    // Before the call hears of it: it would say less.
    lost.reject(reason);
    controller.abort(reason);
  };
  const clock = new SilenceClock(() => lose(timeout(what)));
  const onStop = () => lose(new AppError('cancelled', 'The call was cancelled.', { cause: context.signal?.reason }));
  if (context.signal?.aborted) onStop();
  else context.signal?.addEventListener('abort', onStop, { once: true });
  const limited: LimitedCall = {
    signal: controller.signal,
    onProgress: (progress) => {
      clock.reset();
      context.onProgress?.(progress);
    },
    onWaiting: (isWaiting) => (isWaiting ? clock.stop() : clock.goOn()),
  };
  try {
    return await Promise.race([controller.signal.aborted ? lost.promise : call(limited), lost.promise]);
  } finally {
    clock.end();
    context.signal?.removeEventListener('abort', onStop);
  }
}

/** Runs out after {@link CALL_LIMIT_MS} since its start or the last reset; the time while it is stopped doesn't count. */
class SilenceClock {
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #leftMs = CALL_LIMIT_MS;
  #since = 0;
  #state: 'running' | 'stopped' | 'ended' = 'stopped';

  constructor(onOver: () => void) {
    this.#onOver = onOver;
    this.goOn();
  }

  reset(): void {
    const wasRunning = this.#state === 'running';
    this.stop();
    this.#leftMs = CALL_LIMIT_MS;
    if (wasRunning) this.goOn();
  }

  stop(): void {
    if (this.#state !== 'running') return;
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }

  goOn(): void {
    if (this.#state !== 'stopped') return;
    this.#state = 'running';
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, Math.max(0, this.#leftMs));
  }

  /** For good. */
  end(): void {
    this.#state = 'ended';
    clearTimeout(this.#timer);
  }
}

const timeout = (what: string): AppError =>
  new AppError('call-timeout', `${what} gave no sign of life for ${CALL_LIMIT_MS / 1000} s. The call was cancelled.`, {
    hint: 'Try again with less to do at once, or another way.',
  });
