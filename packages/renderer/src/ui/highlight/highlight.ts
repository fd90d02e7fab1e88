import type { CodeLine } from './colour-code.ts';

export interface HighlightRequest {
  code: string;
  language: string;
}
/** Null: the code stays plain. */
export type HighlightAnswer = CodeLine[] | null;

interface Job extends HighlightRequest {
  signal: AbortSignal;
  done: (answer: HighlightAnswer) => void;
}

/** Finished blocks kept for when they scroll into view again. */
const CACHE_SIZE = 60;
/** A grammar that takes longer for one block has lost its way. In milliseconds. */
const LIMIT_MS = 10_000;

const cache = new Map<string, CodeLine[]>();
const waiting: Job[] = [];
let current: Job | undefined;
let limit: ReturnType<typeof setTimeout> | undefined;
let worker: Worker | undefined;

/**
 * Colours code in a worker, one block after another, so that the window never waits for it. Null when the language is not
 * known, its grammar fails, or `signal` is aborted.
 */
export function highlight(code: string, language: string, signal: AbortSignal): Promise<HighlightAnswer> {
  const known = cache.get(keyOf({ code, language }));
  if (known) return Promise.resolve(known);
  return new Promise((done) => {
    waiting.push({ code, language, signal, done });
    next();
  });
}

const keyOf = ({ code, language }: HighlightRequest) => `${language}\n${code}`;

function next(): void {
  if (current) return;
  current = waiting.shift();
  if (!current) return;
  const { code, language, signal } = current;
  const known = cache.get(keyOf(current));
  if (known || signal.aborted) {
    finish(known ?? null);
    return;
  }
  worker ??= startWorker();
  limit = setTimeout(giveUp, LIMIT_MS);
  worker.postMessage({ code, language } satisfies HighlightRequest);
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module', name: 'highlight' });
  started.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    if (data && current) keep(keyOf(current), data);
    finish(data);
  };
  started.onerror = giveUp;
  return started;
}

/** Leaves this block plain and goes on with a new worker. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  finish(null);
}

function finish(answer: HighlightAnswer): void {
  clearTimeout(limit);
  const job = current;
  current = undefined;
  job?.done(job.signal.aborted ? null : answer);
  next();
}

function keep(key: string, lines: CodeLine[]): void {
  cache.set(key, lines);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
}
