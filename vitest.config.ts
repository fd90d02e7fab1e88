import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Vitest leaves one core free, which is half the machine on two. */
const CORES = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  resolve: {
    alias: { '@shared': fileURLToPath(new URL('./packages/desktop/app/shared', import.meta.url)) },
  },
  test: {
    // Pure logic in `*.test.ts`; what starts real servers or programs in `*.integration.test.ts`.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.{ts,tsx}', 'scripts/**/*.test.{ts,mjs}'],
          exclude: ['**/node_modules/**', '**/*.integration.test.*'],
          maxWorkers: CORES,
          // Different numbers of workers can't run in one group.
          sequence: { groupOrder: 1 },
          // A thread for each file costs little more than half of what a process does.
          pool: 'threads',
          // Tests of whole views take seconds where other work shares the processor.
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['packages/**/*.integration.test.ts', 'scripts/**/*.integration.test.{ts,mjs}'],
          // They wait for programs and for time more than they compute.
          maxWorkers: 2 * CORES,
          sequence: { groupOrder: 2 },
          // They start many processes, and other work may share the machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
