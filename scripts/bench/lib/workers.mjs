import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { ProcessWatch } from '../../lib/processes.mjs';

const WORKER = fileURLToPath(new URL('../worker.mjs', import.meta.url));
const LIMIT_MS = 120_000;
const STDERR_KEPT = 4000;

/** What marks the servers of one worker. Not in the worker's own command line. */
const newMark = () => `tinyelf-bench-${randomBytes(8).toString('hex')}`;

/** The processes whose command line holds `mark`. */
export const watchFor = (mark) => new ProcessWatch({ mark: `TINYELF_BENCH=${mark}`, text: mark });

function endLeftovers(mark) {
  for (const line of watchFor(mark).survivors()) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/**
 * Runs `inWorker` of a measure in a fresh process. It gets `create`, which makes the peer, `mark`, for the servers that it
 * starts, and what is in `input`. Whatever carries the mark afterwards is ended.
 *
 * @param {string} measure file name in `measures/`, without its ending
 * @param {'app'|'raw'} [peer]
 * @throws Error with what the worker said when it failed, or took longer than two minutes
 */
export async function runWorker(measure, peer, input = {}) {
  const mark = newMark();
  const child = fork(WORKER, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  try {
    return await new Promise((resolve, reject) => {
      const fail = (reason) => reject(new Error(`${measure}${peer ? ` (${peer})` : ''}: ${reason}\n${stderr}`.trim()));
      const limit = setTimeout(fail, LIMIT_MS, `no answer within ${LIMIT_MS / 1000} s`);
      child.once('message', ({ value, error }) => (error === undefined ? resolve(value) : fail(error)));
      child.once('error', fail);
      child.once('exit', (code, signal) => {
        clearTimeout(limit);
        fail(`ended without an answer (${signal ?? code})`);
      });
      child.send({ measure, peer, input: { ...input, mark } });
    });
  } finally {
    child.kill('SIGKILL');
    endLeftovers(mark);
  }
}

/**
 * Runs a measure for the app and the raw SDK in every round, one after the other; who is first changes from round to round.
 *
 * @returns {Promise<{app: object[], raw: object[]}>} the workers' answers by round
 */
export async function inTurns(measure, rounds, input) {
  const answers = { app: [], raw: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ['app', 'raw'] : ['raw', 'app'];
    for (const peer of order) answers[peer].push(await runWorker(measure, peer, input));
  }
  return answers;
}

/** One value of every round's answer. */
export const pick = (answers, key) => answers.map((answer) => answer[key]);
