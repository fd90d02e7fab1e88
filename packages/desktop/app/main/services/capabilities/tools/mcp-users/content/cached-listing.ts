/** A server may say how long its list holds; nobody believes more than this. */
const MAX_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * What a server listed, kept until it changes, its time is over or someone wants it anew. Nothing is asked before someone
 * wants to know, and only once for all who do at the same time.
 */
export class CachedListing<Value> {
  readonly #load: () => Promise<{ value: Value; ttlMs?: number }>;
  #known: { value: Value; until: number } | undefined;
  #running: Promise<Value> | undefined;
  #version = 0;

  constructor(load: () => Promise<{ value: Value; ttlMs?: number }>) {
    this.#load = load;
  }

  /** Throws what loading throws; nothing is kept then. */
  get(refresh = false): Promise<Value> {
    if (!refresh && this.#known && performance.now() < this.#known.until) return Promise.resolve(this.#known.value);
    this.#running ??= this.#run(this.#version);
    return this.#running;
  }

  /** What is known, and what is being loaded, may not be true any more. */
  invalidate(): void {
    this.#version++;
    this.#known = undefined;
    this.#running = undefined;
  }

  async #run(version: number): Promise<Value> {
    try {
      const { value, ttlMs = Number.POSITIVE_INFINITY } = await this.#load();
      const holds = ttlMs === Number.POSITIVE_INFINITY ? ttlMs : Math.min(Math.max(0, ttlMs), MAX_TTL_MS);
      if (version === this.#version) this.#known = { value, until: performance.now() + holds };
      return value;
    } finally {
      if (version === this.#version) this.#running = undefined;
    }
  }
}
