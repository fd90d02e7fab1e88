import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeWorkers } from './node-workers.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-workers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name, text) => writeFileSync(join(folder, name), text);

/** Builds as electron-vite builds main, and gives what the result prints. */
async function buildAndRun(main) {
  write('main.ts', main);
  await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    plugins: [nodeWorkers()],
    build: {
      ssr: true,
      outDir: join(folder, 'out'),
      rollupOptions: {
        input: { index: join(folder, 'main.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
  });
  return execFileSync(process.execPath, [join(folder, 'out/index.mjs')], { encoding: 'utf8' });
}

it('bundles the file of a worker, with what it imports, and starts that', async () => {
  write('double.ts', 'export const double = (n: number): number => n * 2;');
  write(
    'worker.ts',
    `import { parentPort, workerData } from 'node:worker_threads';
     import { double } from './double.ts';
     parentPort!.postMessage(double(workerData as number));`,
  );
  const printed = await buildAndRun(
    `import { Worker } from 'node:worker_threads';
     import { double } from './double.ts';
     const worker: Worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: double(10) });
     worker.on('message', (message: number) => console.log(message));`,
  );
  expect(printed).toBe('40\n');
});

it('leaves other addresses alone', async () => {
  const printed = await buildAndRun(`console.log(new URL('./page.html', import.meta.url).pathname.split('/').at(-1));`);
  expect(printed).toBe('page.html\n');
});
