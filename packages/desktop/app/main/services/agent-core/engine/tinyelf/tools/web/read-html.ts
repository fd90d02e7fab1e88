import { Worker } from 'node:worker_threads';
import type { PageText } from './html-to-markdown.ts';

const MARKDOWN_LIMIT_MS = 12_000;
const PLAIN_LIMIT_MS = 6_000;
const MEMORY_MB = 512;

/**
 * A page with more is read as bare text at once: a tree of all its elements could outgrow a thread's memory so fast that it
 * takes the app with it.
 */
const MAX_TAGS = 150_000;

export interface ReadHtmlOptions {
  signal?: AbortSignal;
  /** Default: 12 s. */
  markdownMs?: number;
  /** Default: 6 s. */
  plainMs?: number;
}

/**
 * What a page says, worked out in a thread of its own: as Markdown, or as bare text where that takes too long or fails.
 * Rejects when even that does, and when `signal` aborts; the thread is ended then.
 */
export async function readHtml(html: string, url: string, options: ReadHtmlOptions = {}): Promise<PageText> {
  const { signal, markdownMs = MARKDOWN_LIMIT_MS, plainMs = PLAIN_LIMIT_MS } = options;
  if (tagsIn(html) > MAX_TAGS) return await inWorker({ html, url, plain: true }, plainMs, signal);
  try {
    return await inWorker({ html, url, plain: false }, markdownMs, signal);
  } catch {
    signal?.throwIfAborted();
    return await inWorker({ html, url, plain: true }, plainMs, signal);
  }
}

function tagsIn(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) count++;
  return count;
}

function inWorker(
  data: { html: string; url: string; plain: boolean },
  limitMs: number,
  signal?: AbortSignal,
): Promise<PageText> {
  const worker = new Worker(new URL('./html-worker.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    // The page decides what is written there.
    stdout: true,
    stderr: true,
  });
  return new Promise<PageText>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    let limit: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
    };
    worker.on('message', (message: 'ready' | PageText) => {
      if (message !== 'ready') return resolve(message);
      // On a busy machine, loading the program takes longer than most pages.
      limit = setTimeout(() => reject(new Error('The page is too complicated to be read in time.')), limitMs);
    });
    worker.once('error', (error) =>
      reject(new Error(`The page could not be read: ${error.message}`, { cause: error })),
    );
    worker.once('exit', () => reject(new Error('The page could not be read: its reader ended.')));
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    worker.once('exit', settle);
  }).finally(() => worker.terminate());
}
