import path from 'node:path';

const WORKER = /new Worker\(\s*new URL\(\s*'(\.[^']+)',\s*import\.meta\.url,?\s*\)/g;

/**
 * A Vite plugin for main: bundles the file of each `new Worker(new URL('./file.ts', import.meta.url))` too, as Vite does for
 * pages only. The same line works without a build, in tests and under plain Node.
 *
 * @returns {import('vite').Plugin}
 */
export function nodeWorkers() {
  const references = new Set();
  return {
    name: 'node-workers',
    apply: 'build',
    // Before types are removed, which changes how the line is written.
    enforce: 'pre',
    transform: {
      filter: { code: WORKER },
      handler(code, id) {
        return code.replace(WORKER, (_, file) => {
          const reference = this.emitFile({ type: 'chunk', id: path.resolve(path.dirname(id), file) });
          references.add(reference);
          return `new Worker(new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
        });
      },
    },
    /** Vite would give the path on a web server. */
    resolveFileUrl({ referenceId, relativePath }) {
      if (!references.has(referenceId)) return undefined;
      return `new URL(${JSON.stringify(relativePath)}, import.meta.url).href`;
    },
  };
}
