import { dirname, posix, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** What stands for a worker's program in the source: plain Node and vitest take it as it is. */
const WORKER = /new URL\('(\.{1,2}\/[^']+-worker\.ts)', import\.meta\.url\)/g;
/** Stands for a file until it has its name. */
const PLACE = /__NODE_WORKER_([\w$]+)__/;

/**
 * For the build of main: makes a file of its own of every program that is named `new URL('./x-worker.ts', import.meta.url)`,
 * and puts that file's place there. Vite itself does so for browsers only.
 */
export function nodeWorkers(): Plugin {
  return {
    name: 'tinyelf:node-workers',
    apply: 'build',
    // Before anyone has printed the source in another way.
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('-worker.ts')) return null;
      return code.replace(WORKER, (_, file: string) => {
        const chunk = this.emitFile({ type: 'chunk', id: resolve(dirname(id), file) });
        return `new URL('__NODE_WORKER_${chunk}__', import.meta.url)`;
      });
    },
    renderChunk(code, { fileName }) {
      if (!PLACE.test(code)) return null;
      return code.replaceAll(new RegExp(PLACE, 'g'), (_, chunk: string) => {
        const place = posix.relative(posix.dirname(fileName), this.getFileName(chunk));
        return place.startsWith('.') ? place : `./${place}`;
      });
    },
  };
}
