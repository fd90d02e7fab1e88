import type { CodeLine } from './colour-code.ts';

export interface HighlightRequest {
  code: string;
  language: string;
}
/** The next lines; null after the last ones. */
export type HighlightAnswer = CodeLine[] | null;

interface Job extends HighlightRequest {
  signal: AbortSignal;
  onSlice: (lines: CodeLine[]) => void;
  done: () => void;
  slices: CodeLine[][];
}

/** Finished blocks kept for when they scroll into view again. */
const CACHE_SIZE = 60;
/** A grammar that takes longer for one block has lost its way. In milliseconds. */
const LIMIT_MS = 10_000;

const cache = new Map<string, CodeLine[][]>();
const waiting: Job[] = [];
let current: Job | undefined;
let limit: ReturnType<typeof setTimeout> | undefined;
let worker: Worker | undefined;

/**
 * Colours code in a worker, one block after another, so that the window never waits for it. Each slice of some lines is
 * handed over when it is ready, in order, in a task of its own. Nothing comes for a language that is not known, once a
 * grammar has failed, or once `signal` is aborted. Resolves when nothing more will come; never rejects.
 */
export async function highlight(
  code: string,
  language: string,
  signal: AbortSignal,
  onSlice: (lines: CodeLine[]) => void,
): Promise<void> {
  const known = cache.get(keyOf({ code, language }));
  if (!known) {
    await new Promise<void>((done) => {
      waiting.push({ code, language, signal, onSlice, done, slices: [] });
      next();
    });
    return;
  }
  for (const slice of known) {
    await nextTask();
    if (signal.aborted) return;
    onSlice(slice);
  }
}

const keyOf = ({ code, language }: HighlightRequest) => `${language}\n${code}`;
const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

function next(): void {
  if (current) return;
  current = waiting.shift();
  if (!current) return;
  if (current.signal.aborted) {
    finish();
    return;
  }
  const { code, language } = current;
  worker ??= startWorker();
  limit = setTimeout(giveUp, LIMIT_MS);
  worker.postMessage({ code, language } satisfies HighlightRequest);
}

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module', name: 'highlight' });
  started.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    if (!current) return;
    if (data) {
      current.slices.push(data);
      if (!current.signal.aborted) current.onSlice(data);
      return;
    }
    if (current.slices.length > 0) keep(keyOf(current), current.slices);
    finish();
  };
  started.onerror = giveUp;
  return started;
}

/** Leaves the rest of this block plain and goes on with a new worker. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  finish();
}

function finish(): void {
  clearTimeout(limit);
  const job = current;
  current = undefined;
  job?.done();
  next();
}

function keep(key: string, slices: CodeLine[][]): void {
  cache.set(key, slices);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
}
