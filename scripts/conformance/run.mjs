import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE } from '../lib/compile-cache.mjs';
import { inRoot, ROOT } from '../lib/paths.mjs';
import { runNode } from '../lib/run.mjs';
import { reasonAgainst, SUITES } from './scenarios.mjs';

/** The client programs: the app, and what it is compared with. */
export const APP_CLIENT = inRoot('scripts', 'conformance', 'client.mjs');
export const BARE_CLIENT = inRoot('scripts', 'conformance', 'bare-client.mjs');

const AT_ONCE = 3;
/** What the suite gives a client, and what we give the suite: a busy machine is slow. */
const CLIENT_MS = 60_000;
const SCENARIO_MS = 90_000;

/**
 * @typedef {object} Result
 * @property {string} suite
 * @property {string} scenario
 * @property {'passed'|'failed'|'not-applicable'} verdict
 * @property {number} good checks that passed
 * @property {number} bad checks that failed
 * @property {string} [note] the reason, or what went wrong
 */

/** Each scenario starts two programs, which would compile the same sources again and again. */
const options = () => ({ cwd: ROOT, timeoutMs: SCENARIO_MS, env: { ...process.env, ...COMPILE_CACHE } });

const programOf = (suite) => inRoot('node_modules', suite.package, 'dist', 'index.js');

/** The scenarios of a suite, in its own order. */
async function scenariosOf(suite) {
  const { output, code } = await runNode(programOf(suite), ['list', '--client'], options());
  const found = [...output.matchAll(/^ {2}- (\S+) \[([^\]]*)\]/gm)].map(([, name, revisions]) => ({
    name,
    revisions: revisions.split(','),
  }));
  if (code !== 0 || found.length === 0) throw new Error(`The suite ${suite.name} has no list of scenarios.\n${output}`);
  return found.filter(({ revisions }) => suite.takes(revisions)).map(({ name }) => name);
}

/** Runs one scenario. Passed means that the suite says so and that it has checked something. */
async function runScenario(suite, scenario, clientFile) {
  const folder = inRoot('out', 'conformance', suite.name.replaceAll(/[^\w.-]+/g, '-'), scenario.replaceAll('/', '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const command = [process.execPath, clientFile].map((part) => JSON.stringify(part)).join(' ');
  const args = ['client', '--command', command, '--scenario', scenario, ...suite.args];
  const result = await runNode(programOf(suite), [...args, '--timeout', String(CLIENT_MS), '-o', folder], options());
  const checks = readChecks(folder);
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const good = checks.filter(({ status }) => status === 'SUCCESS').length;
  const passed = result.code === 0 && good > 0 && failed.length === 0;
  const wrong = [...new Set(failed.map(({ id, errorMessage }) => (errorMessage ? `${id}: ${errorMessage}` : id)))];
  if (result.stopped) wrong.push('stopped: it took too long');
  if (!passed && wrong.length === 0) wrong.push(`nothing was checked (exit code ${result.code})`);
  return { passed, good, bad: failed.length, note: wrong.join('; ') };
}

function readChecks(folder) {
  const file = readdirSync(folder, { recursive: true }).find((name) => String(name).endsWith('checks.json'));
  return file ? JSON.parse(readFileSync(join(folder, String(file)), 'utf8')) : [];
}

/**
 * Runs every scenario of every suite against a client program.
 *
 * @param {string} clientFile gets the address of the server as its last argument
 * @param {object} [options]
 * @param {boolean} [options.everything] runs what doesn't apply too
 * @param {string[]} [options.only] scenarios by name
 * @param {(result: Result) => void} [options.onResult]
 * @returns {Promise<Result[]>} in the order of the suites
 */
export async function runSuites(clientFile, { everything = false, only = [], onResult = () => {} } = {}) {
  const jobs = [];
  for (const suite of SUITES) {
    for (const scenario of await scenariosOf(suite))
      if (only.length === 0 || only.includes(scenario)) jobs.push({ suite, scenario });
  }
  const results = [];
  const waiting = [...jobs.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { suite, scenario }] = next;
      results[index] = { suite: suite.name, scenario, ...(await judge(suite, scenario, clientFile, everything)) };
      onResult(results[index]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Some scenarios measure time, so what failed in the crowd has a second try by itself.
  for (const [index, { verdict }] of results.entries()) {
    if (verdict !== 'failed' || everything) continue;
    const { suite, scenario } = jobs[index];
    results[index] = { suite: suite.name, scenario, ...(await judge(suite, scenario, clientFile, everything)) };
    onResult(results[index]);
  }
  return results;
}

async function judge(suite, scenario, clientFile, everything) {
  const notApplicable = everything ? undefined : reasonAgainst(suite, scenario);
  if (notApplicable) return { verdict: 'not-applicable', good: 0, bad: 0, note: notApplicable };
  const { passed, good, bad, note } = await runScenario(suite, scenario, clientFile);
  return passed ? { verdict: 'passed', good, bad } : { verdict: 'failed', good, bad, note };
}
