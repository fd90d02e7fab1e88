import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { main, SetupError } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';

/**
 * `npm run conformance`: the official client suites, both versions and both revisions, against the app's own pool and sign-in.
 * `-- --only <scenario>` (again for more). `-- --record-bare` runs a bare SDK client instead and records what it passes, which
 * is what the tables compare with. The exit code is 1 when a scenario fails that should pass.
 */
await main(async () => {
  await enterRuntime(import.meta.url);
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      'record-bare': { type: 'boolean', default: false },
    },
  });
  if (!process.features.typescript)
    throw new SetupError(`This runs the app's sources as they are; that takes Node 22.18, not ${process.version}.`);
  // Loaded here, since they need the packages that have been installed just now.
  const { APP_CLIENT, BARE_CLIENT, runSuites } = await import('./conformance/run.mjs');
  const { BARE_RECORD, bareRecord, report } = await import('./conformance/report.mjs');
  const onResult = ({ scenario, verdict }) => console.log(`  ${scenario}: ${verdict}`);
  if (values['record-bare']) {
    const results = await runSuites(BARE_CLIENT, { everything: true, onResult });
    const record = Object.fromEntries(
      results.map(({ suite, scenario, verdict }) => [`${suite} ${scenario}`, verdict === 'passed']),
    );
    writeFileSync(BARE_RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
    return;
  }
  const results = await runSuites(APP_CLIENT, { only: values.only, onResult });
  console.log(report(results, bareRecord()));
  process.exitCode = results.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
});
