import { COMPILE_CACHE } from './lib/compile-cache.mjs';
import { virtualDisplayFor } from './lib/display.mjs';
import { chooseElectron } from './lib/electron-runtime.mjs';
import { main, reasonOf } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { duration } from './lib/progress.mjs';

/** Makes ready for the stages. Returns the environment for those that need Electron, and how to tidy up. */
async function setUp() {
  await enterRuntime(import.meta.url);
  const start = performance.now();
  const electron = await chooseElectron();
  // The stand-in's windows need no display; the real one's do.
  const display = electron.kind === 'stand-in' ? undefined : await virtualDisplayFor(electron);
  const env = { ...process.env, ...electron.env, ...display?.env, ...COMPILE_CACHE, CI: '1' };
  console.log(`• Set up in ${duration(performance.now() - start)}. Electron specs run on ${electron.description}.`);
  console.log('  Models are stand-ins on this machine that speak the providers’ wire formats; no request leaves it.');
  return { electron, env, tidy: () => display?.stop() };
}

async function runStages(env) {
  // Loaded here, since they need the packages that have been installed just now.
  const { StageRun } = await import('./lib/stage-run.mjs');
  const { builds, conformance, electronSpecs, layers, lint, types, vitest } = await import('./lib/stages.mjs');
  const stages = new StageRun();
  // These take one core each, for seconds. The later stages fill both cores by themselves.
  const [, , , isBuilt] = await Promise.all([
    stages.run('types', types),
    stages.run('lint', lint),
    stages.run('layers', layers),
    stages.run('build', () => builds(env)),
  ]);
  await stages.run('unit', () => vitest('unit', env));
  await stages.run('integration', () => vitest('integration', env));
  await stages.run('conformance', conformance);
  if (isBuilt) await stages.run('electron', () => electronSpecs(env));
  else stages.skip('electron', 'there is no build');
  return stages;
}

/**
 * `npm test`: everything that can be checked on this machine. A failing stage doesn't keep the others from running. The
 * last line is `N passed, N failed`; the exit code is 1 when anything failed.
 */
await main(async () => {
  const start = performance.now();
  let sums = { passed: 0, failed: 1 };
  try {
    const { electron, env, tidy } = await setUp();
    sums = await runStages(env);
    await tidy();
    console.log(
      `• ${duration(performance.now() - start)} in all. Electron specs: ${electron.description}. Logs: out/test/`,
    );
  } catch (error) {
    console.log(reasonOf(error));
  }
  console.log(`${sums.passed} passed, ${sums.failed} failed`);
  process.exit(sums.failed === 0 ? 0 : 1);
});
