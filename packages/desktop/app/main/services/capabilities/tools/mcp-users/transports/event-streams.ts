import type { Fetch } from '../../../../ports/infrastructure.ts';

/** So many within a minute may come as quickly as the server asks for; each further one waits twice as long as the last. */
const QUICK_RECONNECTS = 2;
const SHORTEST_RECONNECT_MS = 1000;
const LONGEST_RECONNECT_MS = 30_000;
const MINUTE_MS = 60_000;
/** A timer that is set to more goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A server that can't open such a stream may never be able to. */
const LONGEST_FIRST_MS = 300_000;
const NOT_IMPLEMENTED = 501;
/** Refusals of a stream that was open which say that the session, or the right to it, may be gone. */
const LOSSES = [400, 401, 403, 404, 410];
/** Refusals that may be over soon, besides those of 500 and more. */
const TEMPORARY = [408, 425, 429];

/** How the SDK opens event streams again that ended: as long as the connection stands, and slower each time it fails. */
export const reconnectionOptions = {
  initialReconnectionDelay: SHORTEST_RECONNECT_MS,
  maxReconnectionDelay: LONGEST_RECONNECT_MS,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};

/** Waits as long as the server says, until it says too little too often. The SDK's `reconnectionScheduler`. */
export function pacedReconnects() {
  let recent: number[] = [];
  return (reconnect: () => void, delayMs: number) => {
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < MINUTE_MS), now];
    const tooMany = recent.length - QUICK_RECONNECTS;
    const shortest = tooMany <= 0 ? 0 : Math.min(LONGEST_RECONNECT_MS, SHORTEST_RECONNECT_MS * 2 ** (tooMany - 1));
    const timer = setTimeout(reconnect, Math.min(LONGEST_TIMER_MS, Math.max(delayMs, shortest)));
    return () => clearTimeout(timer);
  };
}

export interface ServerStreamOptions {
  /** It is open again, and what the server told meanwhile was told to nobody. */
  onReopened: () => void;
  /** It was open, and now the server won't have it, as when it lost the session. Told once until it is open again. */
  onRefused: () => void;
}

/** The stream on which a server of the older era over HTTP tells by itself, which the SDK asks for by GET. */
export class ServerStream {
  readonly #options: ServerStreamOptions;
  #cut = new AbortController();
  /** The SDK opens again what was open, but asks no second time for a stream that was never there. */
  #isAnswered = false;
  /** What ends the SDK's wish for it; by that it is known from the streams of answers. */
  #wanted: AbortSignal | null | undefined;
  #wasOpen = false;
  #missedSome = false;
  #isRefused = false;

  constructor(options: ServerStreamOptions) {
    this.#options = options;
  }

  /** A fetch that watches over the stream. */
  wrap(fetch: Fetch): Fetch {
    return (input, init) => {
      if (init?.method !== 'GET') return fetch(input, init);
      if (new Headers(init.headers).has('last-event-id') && init.signal !== this.#wanted)
        return goOn(fetch, input, init);
      this.#wanted = init.signal;
      return this.#open(fetch, input, init);
    };
  }

  /** It may be dead without a word: it is opened anew. Does nothing when the server has none. */
  renew(): void {
    this.#missedSome = true;
    const cut = this.#cut;
    this.#cut = new AbortController();
    cut.abort(new Error('The stream is opened anew'));
  }

  async #open(fetch: Fetch, ...[input, init]: Parameters<Fetch>): Promise<Response> {
    const response = this.#isAnswered ? await this.#fetch(fetch, input, init) : await this.#first(fetch, input, init);
    this.#isAnswered = true;
    if (!response.ok) {
      // Where there never was a stream, that is all it means; 405 is how one is ended for good.
      const mayBeLost = this.#wasOpen && LOSSES.includes(response.status);
      if (mayBeLost && !this.#isRefused) this.#options.onRefused();
      this.#isRefused ||= mayBeLost;
      return response;
    }
    if (!response.headers.get('content-type')?.includes('text/event-stream')) return response;
    // With the id of the last event the server sends what came after it; but a dead stream may have swallowed some.
    const isResumed = new Headers(init?.headers).has('last-event-id') && !this.#missedSome;
    if ((this.#wasOpen && !isResumed) || this.#missedSome) this.#options.onReopened();
    this.#wasOpen = true;
    this.#missedSome = false;
    this.#isRefused = false;
    return response;
  }

  /** Asks until there is an answer that isn't about the moment. */
  async #first(fetch: Fetch, ...[input, init]: Parameters<Fetch>): Promise<Response> {
    for (let delayMs = SHORTEST_RECONNECT_MS; ; delayMs = Math.min(LONGEST_FIRST_MS, delayMs * 2)) {
      const cut = this.#cut.signal;
      try {
        const response = await this.#fetch(fetch, input, init);
        const { status } = response;
        if (status === NOT_IMPLEMENTED || (status < 500 && !TEMPORARY.includes(status))) return response;
        response.body?.cancel().catch(() => {});
      } catch (error) {
        if (init?.signal?.aborted) throw error;
      }
      this.#missedSome = true;
      // One that was cut is asked for again at once; so it is when it is cut while it waits.
      await delay(delayMs, init?.signal ? AbortSignal.any([cut, init.signal]) : cut);
      init?.signal?.throwIfAborted();
    }
  }

  #fetch(fetch: Fetch, ...[input, init]: Parameters<Fetch>): Promise<Response> {
    const { signal } = this.#cut;
    return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
  }
}

/**
 * Goes on with the stream of an answer. Where the server won't, however often it is asked, the SDK hears the one status that it
 * takes for the end of it.
 */
async function goOn(fetch: Fetch, ...[input, init]: Parameters<Fetch>): Promise<Response> {
  const response = await fetch(input, init);
  const { status } = response;
  if (status < 400 || status >= 500 || TEMPORARY.includes(status)) return response;
  response.body?.cancel().catch(() => {});
  return new Response(null, { status: 405 });
}

/** Waits so long, or until the signal aborts. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener('abort', done, { once: true });
  });
}
