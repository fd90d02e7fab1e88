import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { virtualDisplayFor } from './lib/display.mjs';
import { chooseElectron } from './lib/electron-runtime.mjs';
import { main, SetupError } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { inRoot } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';

const MEASURES = [
  'calls',
  'cold-start',
  'listing',
  'memory',
  'warm-tools',
  'conversion',
  'stubborn',
  'first-load',
  'stream',
  'loop',
];
const ROUNDS = 9;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: String(ROUNDS) },
      json: { type: 'string' },
    },
  });
  const only = values.only.flatMap((names) => names.split(',')).filter(Boolean);
  const unknown = only.find((name) => !MEASURES.includes(name));
  if (unknown) throw new SetupError(`There is no measure "${unknown}". There are: ${MEASURES.join(', ')}.`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new SetupError('--rounds takes a whole number, 1 or more.');
  return { names: MEASURES.filter((name) => only.length === 0 || only.includes(name)), rounds, json: values.json };
}

const versionOf = (name) => JSON.parse(readFileSync(inRoot('node_modules', name, 'package.json'), 'utf8')).version;

function describeRun(rounds, electron) {
  const packages = ['@modelcontextprotocol/client', '@modelcontextprotocol/sdk', 'react', 'streamdown', 'vite'];
  const cores = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${process.platform}-${process.arch}, ${cores.length} × ${cores[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.versions.node,
    runtime: electron?.description ?? 'not needed',
    rounds,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
}

/**
 * `npm run bench`: what the app costs, against the bars in docs/bench.md. `-- --only <measure>` (again for more), `--rounds
 * <n>`, `--json <file>`. The exit code is 1 when a bar is missed by more than the spread of its rounds.
 */
async function bench() {
  const { names, rounds, json } = readOptions();
  if (!process.features.typescript) {
    throw new SetupError(
      `The bench runs the app's sources as they are; that takes Node 22.18, not ${process.version}.`,
    );
  }
  // Loaded here, since they need the packages that have been installed just now.
  const { judge } = await import('./bench/lib/judge.mjs');
  const { spreadOf } = await import('./bench/lib/statistics.mjs');
  const { table } = await import('./bench/lib/report.mjs');
  const measures = await Promise.all(
    names.map(async (name) => ({ name, ...(await import(`./bench/measures/${name}.mjs`)) })),
  );
  const needsApp = measures.some((measure) => measure.needsApp);
  const electron = needsApp ? await chooseElectron() : undefined;
  if (needsApp || names.includes('first-load')) await ensureBuilt(electron?.env);
  // The stand-in's windows need no display; the real one's do.
  const display = electron && electron.kind !== 'stand-in' ? await virtualDisplayFor(electron) : undefined;

  const results = [];
  for (const { name, bars, measure, posixOnly } of measures) {
    if (posixOnly && process.platform === 'win32') {
      console.log(`• ${name}: left out, it needs a POSIX shell`);
      continue;
    }
    const samples = await step(`${name}, ${rounds} rounds`, () => measure({ rounds, electron, display }));
    for (const [key, bar] of Object.entries(bars)) {
      const { app, raw } = samples[key];
      const judged = judge(bar, samples[key]);
      results.push({ name, key, ...bar, app: spreadOf(app), raw: raw && spreadOf(raw), judged, samples: samples[key] });
    }
  }
  await display?.stop();

  const run = describeRun(rounds, electron);
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  console.log(`\n${run.date}; ${run.machine}; Node ${run.node}; ${rounds} rounds; medians.`);
  console.log(`Window: ${run.runtime}. ${versions.join(', ')}.\n\n${table(results)}\n`);
  if (json) writeFileSync(json, `${JSON.stringify({ ...run, results }, null, 1)}\n`);
  const missed = results.filter(({ judged }) => judged.verdict === 'missed').length;
  console.log(missed === 0 ? 'No bar is missed.' : `${missed} of ${results.length} bars missed.`);
  return missed;
}

await main(async () => {
  await enterRuntime(import.meta.url);
  process.exit((await bench()) === 0 ? 0 : 1);
});
