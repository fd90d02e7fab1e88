import { Worker } from 'node:worker_threads';
import { AppError } from '../../../../../../ports/errors.ts';
import type { GlobRequest, GrepRequest, SearchRequest, SearchResults } from './search-types.ts';

const MEMORY_MB = 512;

export interface SearchOptions {
  /** Milliseconds; the worker is ended then, whatever it does. */
  limitMs: number;
  signal?: AbortSignal;
}

/**
 * Searches in a worker thread, so that no expression can stop the app. Half of the time is for finding files: what was found
 * until then is the result. Throws AppError `search-too-long` and `search-failed`, and the signal's reason.
 */
export async function runSearch(
  request: Omit<GlobRequest, 'softLimitMs'>,
  options: SearchOptions,
): Promise<SearchResults['glob']>;
export async function runSearch(
  request: Omit<GrepRequest, 'softLimitMs'>,
  options: SearchOptions,
): Promise<SearchResults['grep']>;
export async function runSearch(
  request: Omit<SearchRequest, 'softLimitMs'>,
  { limitMs, signal }: SearchOptions,
): Promise<SearchResults['glob' | 'grep']> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), {
    workerData: { ...request, softLimitMs: limitMs / 2 },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<SearchResults['glob' | 'grep']>();
  worker.once('message', resolve);
  worker.once('error', (error) => reject(failure(error)));
  worker.once('exit', () => reject(failure(new Error('The worker ended without a result.'))));
  const timer = setTimeout(() => reject(tooLong(limitMs)), limitMs);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

const tooLong = (limitMs: number): AppError =>
  new AppError('search-too-long', `The search took longer than ${limitMs / 1000} s and was stopped.`, {
    hint: 'Search a smaller folder, or use a simpler pattern: nested repetition such as (a+)+ can take for ever.',
  });

function failure(error: Error & { code?: string }): AppError {
  const message =
    error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? 'The search needed too much memory.'
      : `The search failed: ${error.message}`;
  return new AppError('search-failed', message, { hint: 'Search a smaller folder, or fewer files.', cause: error });
}
