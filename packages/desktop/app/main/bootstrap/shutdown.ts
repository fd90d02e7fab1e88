import type { Logger } from '../services/ports/infrastructure.ts';

/** The whole shutdown, whatever hangs. */
const SHUTDOWN_LIMIT_MS = 5000;

/** One thing that has to happen before the app ends. Steps run one after another, the parts of a step side by side. */
export interface ShutdownStep {
  name: string;
  parts: (() => unknown)[];
}

/**
 * Makes the app's one shutdown: ordered, bounded and idempotent. Every call returns the same promise, which never rejects: a
 * part that fails is logged and the rest goes on; what hasn't finished within the limit is left to the exit net.
 */
export function createShutdown(
  steps: readonly ShutdownStep[],
  logger: Logger,
  limitMs = SHUTDOWN_LIMIT_MS,
): () => Promise<void> {
  let running: Promise<void> | undefined;

  const runAll = async () => {
    for (const { name, parts } of steps) {
      const results = await Promise.allSettled(parts.map(async (part) => part()));
      for (const result of results) {
        if (result.status === 'rejected')
          logger.error('A part of the shutdown failed', { step: name, error: String(result.reason) });
      }
    }
  };

  return () => {
    running ??= new Promise((resolve) => {
      const limit = setTimeout(() => {
        logger.error('The shutdown took too long and was cut short', { limitMs });
        resolve();
      }, limitMs);
      void runAll().then(() => {
        clearTimeout(limit);
        resolve();
      });
    });
    return running;
  };
}
