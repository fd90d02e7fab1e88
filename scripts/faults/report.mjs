import { duration } from '../lib/progress.mjs';

/** The stop ladder takes three seconds; the rest is for a busy machine. */
const CLOSE_MS = 10_000;

/** Everything that is wrong with an outcome, in words: none when it passed. */
export function problemsOf({ problem, lost, unknown, processes, handles, closeMs }) {
  return [
    problem,
    lost > 0 && `${lost} answers lost`,
    unknown > 0 && `${unknown} answers that no server gave`,
    closeMs > CLOSE_MS && `closing took ${duration(closeMs)}`,
    ...processes.map((line) => `left: ${line}`),
    ...handles.map((line) => `left in the client: ${line}`),
  ].filter(Boolean);
}

const time = (ms) => (ms === undefined ? '–' : duration(ms));

function row(outcome) {
  const { fault, given, lost, recoverMs, closeMs, processes, handles } = outcome;
  const verdict = problemsOf(outcome).length === 0 ? 'pass' : '**fail**';
  const counts = [given ?? '–', lost ?? '–', time(recoverMs), time(closeMs), processes.length, handles.length];
  return [fault, ...counts, verdict];
}

const NOTES = [
  '“Recovered in”: from when the fault was noticed until a call worked; – where nothing was broken. For kill -9 of main: until all that it started was gone.',
  '“Handles”: timers, sockets, pipes and listeners of the client that were not there before.',
];

/** The outcomes as a table in Markdown, and below it what went wrong. */
export function report(outcomes) {
  const head = ['fault', 'answered', 'lost', 'recovered in', 'closed in', 'processes left', 'handles left', ''];
  const rule = ['---', '---:', '---:', '---:', '---:', '---:', '---:', '---'];
  const table = [head, rule, ...outcomes.map(row)].map((cells) => `| ${cells.join(' | ')} |`);
  const problems = outcomes.flatMap((outcome) => problemsOf(outcome).map((text) => `- ${outcome.fault}: ${text}`));
  return [...table, '', ...NOTES, ...(problems.length > 0 ? ['', ...problems] : [])].join('\n');
}
