import { main } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';

/** `npm run check`: types, lint and layers. */
await main(async () => {
  await enterRuntime(import.meta.url);
  // Loaded here, since they need the packages that have been installed just now.
  const { StageRun } = await import('./lib/stage-run.mjs');
  const { layers, lint, types } = await import('./lib/stages.mjs');
  const stages = new StageRun();
  await Promise.all([stages.run('types', types), stages.run('lint', lint), stages.run('layers', layers)]);
  process.exit(stages.failed === 0 ? 0 : 1);
});
