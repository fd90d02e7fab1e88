import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessWatch } from '../lib/processes.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const AT_ONCE = 3;
const LIMIT_MS = 60_000;
const STDERR_KEPT = 2000;

/**
 * @typedef {object} Outcome
 * @property {string} fault
 * @property {number} [given] answers that left a server
 * @property {number} [lost] those of them that didn't arrive as they were
 * @property {number} [unknown] answers that arrived and that no server gave
 * @property {number} [recoverMs] from the fault until a call worked again; undefined where nothing was broken
 * @property {number} [closeMs] closing everything afterwards
 * @property {string[]} processes what still runs, as `pid command`
 * @property {string[]} handles what is left in the client: timers, sockets, listeners
 * @property {string} [problem] what was not as it should be
 */

/** What the worker says, or why it said nothing. */
function answerOf(child) {
  return new Promise((resolve) => {
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    const fail = (reason) => resolve({ handles: [], problem: `${reason} ${stderr}`.trim() });
    const limit = setTimeout(fail, LIMIT_MS, `no result within ${LIMIT_MS / 1000} s`);
    child.once('message', resolve);
    child.once('error', (error) => fail(String(error)));
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      fail(`ended without a result (${signal ?? code})`);
    });
  });
}

async function runFault(fault, parentFolder) {
  const mark = `TINYELF_FAULTS=${randomBytes(8).toString('hex')}`;
  const watch = new ProcessWatch({ mark, text: mark });
  const folder = mkdtempSync(join(parentFolder, 'fault-'));
  const child = fork(WORKER, [mark, folder, fault], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const answer = await answerOf(child);
  child.kill('SIGKILL');
  const processes = new Set([...(answer.processes ?? []), ...(await watch.waitForNone(1000))]);
  for (const line of processes) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return { fault, ...answer, processes: [...processes] };
}

/**
 * Runs faults, some at once, each in a process of its own and for a minute at most.
 *
 * @param {string[]} faults by name
 * @param {(outcome: Outcome) => void} onOutcome
 * @returns {Promise<Outcome[]>} in the order of `faults`
 */
export async function runFaults(faults, onOutcome) {
  const parentFolder = mkdtempSync(join(tmpdir(), 'tinyelf-faults-'));
  // A signal ends the run by way of process.exit.
  process.once('exit', () => rmSync(parentFolder, { recursive: true, force: true }));
  const outcomes = [];
  const waiting = [...faults.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, fault] = next;
      outcomes[index] = await runFault(fault, parentFolder);
      onOutcome(outcomes[index]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}
