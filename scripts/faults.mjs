import { parseArgs } from 'node:util';
import { main, SetupError } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { canSeeProcesses } from './lib/processes.mjs';

/**
 * `npm run faults`: what misbehaving servers do to the app's own pool. `-- --only <fault>` (again for more). The exit code is
 * 1 when an answer was lost, something is left, or a fault ended otherwise than it should.
 */
await main(async () => {
  await enterRuntime(import.meta.url);
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } });
  if (!process.features.typescript)
    throw new SetupError(`This runs the app's sources as they are; that takes Node 22.18, not ${process.version}.`);
  if (!canSeeProcesses) throw new SetupError('This counts processes by /proc, so it needs Linux.');
  // Loaded here, since they need the packages that have been installed just now.
  const { FAULTS } = await import('./faults/faults.mjs');
  const { problemsOf, report } = await import('./faults/report.mjs');
  const { runFaults } = await import('./faults/run.mjs');
  const names = Object.keys(FAULTS);
  const unknown = values.only.find((name) => !names.includes(name));
  if (unknown) throw new SetupError(`There is no fault "${unknown}". There are: ${names.join(', ')}.`);
  const chosen = names.filter((name) => values.only.length === 0 || values.only.includes(name));
  const isGood = (outcome) => problemsOf(outcome).length === 0;
  const onOutcome = (outcome) => console.log(`  ${outcome.fault}: ${isGood(outcome) ? 'pass' : 'fail'}`);
  const outcomes = await runFaults(chosen, onOutcome);
  console.log(`\n${report(outcomes)}\n`);
  const failed = outcomes.filter((outcome) => !isGood(outcome)).length;
  console.log(failed === 0 ? 'Nothing lost, nothing left.' : `${failed} of ${outcomes.length} faults failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
});
