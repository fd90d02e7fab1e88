import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from './build.mjs';
import { checkLayers } from './layers/check.mjs';
import { inRoot, ROOT } from './paths.mjs';
import { strangersInPreload } from './preload-bundle.mjs';
import { runNode } from './run.mjs';

const REPORTS = inRoot('out', 'test');
const CHECK_MS = 3 * 60_000;
/** Most that one stage of tests may take; a machine that does other things needs several times what a quiet one does. */
const TESTS_MS = 25 * 60_000;

/**
 * @typedef {object} Outcome what came of one stage
 * @property {number} passed
 * @property {number} failed at least 1 when anything went wrong, a crash or a run without tests included
 * @property {number} [skipped]
 * @property {string} output to be shown when something failed
 * @property {string} [note] shown in any case
 */

const packageFile = (...parts) => inRoot('node_modules', ...parts);

/** A stage that is one check: it passes or it doesn't. */
const oneCheck = ({ code, stopped, output, error }) => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  output: [output, stopped && 'Stopped: it took too long.', error?.message].filter(Boolean).join('\n'),
});

const tool = (file, args, options) => runNode(file, args, { cwd: ROOT, timeoutMs: CHECK_MS, ...options });

export const types = async () =>
  oneCheck(await tool(packageFile('typescript', 'bin', 'tsc'), ['-p', '.', '--pretty', 'false']));

export const lint = async () =>
  oneCheck(await tool(packageFile('@biomejs', 'biome', 'bin', 'biome'), ['check', '--error-on-warnings', '.']));

export async function layers() {
  const { violations } = checkLayers(ROOT);
  return oneCheck({ code: violations.length, output: violations.join('\n') });
}

export async function builds(env) {
  const result = await build({ env });
  if (result.code !== 0) return oneCheck(result);
  const strangers = strangersInPreload(inRoot('out', 'preload', 'index.cjs'));
  const output = `The built preload imports ${strangers.join(', ')}; a sandboxed one can load only electron.`;
  return oneCheck({ code: strangers.length, output });
}

/**
 * Makes an outcome of a test runner's report. Whatever keeps the report from being whole counts as one failure.
 *
 * @param {object} result of `run`
 * @param {() => object} readReport may throw
 * @param {(report: object) => {passed: number, failed: number, skipped?: number}} count
 * @returns {Outcome}
 */
export function outcomeOf(result, readReport, count) {
  const why = [];
  let counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    counts = count(readReport());
  } catch {
    why.push('There is no readable report: the runner crashed.');
  }
  if (result.stopped) why.push('Stopped: it took too long.');
  if (result.error) why.push(result.error.message);
  if (counts.passed + counts.failed === 0) why.push('No test ran.');
  if (result.code !== 0 && counts.failed === 0 && why.length === 0)
    why.push(`The runner ended with exit code ${result.code}.`);
  const output = [result.output.trim(), ...why].join('\n');
  return { ...counts, failed: counts.failed + (why.length > 0 ? 1 : 0), output };
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true });
  const file = inRoot('out', 'test', `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/** A file whose tests could not be collected has no test that failed, but must not pass for one without tests. */
export function countVitest(report) {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

/** The tests of one vitest project. */
export async function vitest(project, env) {
  const report = freshReport(project);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--project', project, ...reporters];
  const result = await tool(packageFile('vitest', 'vitest.mjs'), args, { env, timeoutMs: TESTS_MS });
  return outcomeOf(result, () => readJson(report), countVitest);
}

/** The Playwright Electron specs. `env` names the runtime. */
export async function electronSpecs(env) {
  const report = freshReport('electron');
  const options = { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }, timeoutMs: TESTS_MS };
  const result = await tool(packageFile('@playwright', 'test', 'cli.js'), ['test', '--reporter=list,json'], options);
  return outcomeOf(result, () => readJson(report), countPlaywright);
}

/** The official client suites against the app's own pool. Scenarios that don't apply count as skipped, and are named. */
export async function conformance() {
  const { APP_CLIENT, runSuites } = await import('../conformance/run.mjs');
  const { bareRecord, namesOf, report } = await import('../conformance/report.mjs');
  const results = await runSuites(APP_CLIENT);
  const count = (verdict) => results.filter((result) => result.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('not-applicable'),
    output: report(results, bareRecord()),
    note: `Does not apply (reasons in the log): ${namesOf(results, 'not-applicable').join(', ')}.`,
  };
}

/** Where the full output of a stage is kept. */
export function keepOutput(name, output) {
  mkdirSync(REPORTS, { recursive: true });
  const file = inRoot('out', 'test', `${name}.log`);
  writeFileSync(file, `${output}\n`);
  return file;
}
