import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** What stands for a worker's program in the source: plain Node and vitest take it as it is. */
const WORKER = /new URL\('(\.{1,2}\/[^']+-worker\.ts)', import\.meta\.url\)/g;

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
        // The build puts a URL there that is relative to the file, or a whole one.
        return `new URL(import.meta.ROLLUP_FILE_URL_${chunk}, import.meta.url)`;
      });
    },
  };
}
