import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { nodeWorkers } from './node-workers.ts';

it('gives a worker a file of its own, which the build starts', async () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tinyelf-workers-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  file('double.ts', 'export const double = (n: number): number => 2 * n;');
  file(
    'double-worker.ts',
    "import { parentPort, workerData } from 'node:worker_threads';\nimport { double } from './double.ts';\nparentPort?.postMessage(double(workerData));",
  );
  file(
    'index.ts',
    "import { Worker } from 'node:worker_threads';\nexport const start = (n: number) => new Worker(new URL('./double-worker.ts', import.meta.url), { workerData: n });",
  );
  await build({
    root: folder,
    logLevel: 'silent',
    plugins: [nodeWorkers()],
    build: {
      ssr: true,
      outDir: 'out',
      rollupOptions: {
        input: path.join(folder, 'index.ts'),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  const { start } = await import(/* @vite-ignore */ pathToFileURL(path.join(folder, 'out/index.mjs')).href);
  const answer = await new Promise((resolve, reject) => start(21).once('message', resolve).once('error', reject));
  expect(answer).toBe(42);
});
