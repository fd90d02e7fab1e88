import { duration } from '../lib/progress.mjs';

/** The stop ladder takes three seconds; the rest is for a busy machine. */
const CLOSE_MS = 10_000;

/** Everything that is wrong with an outcome, in words: none when it passed. */
export function problemsOf({ problem, lost, processes, handles, closeMs }) {
  return [
    problem,
    lost > 0 && `${lost} answers lost`,
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

/** The outcomes as a table in Markdown, and below it what went wrong. */
export function report(outcomes) {
  const head = ['fault', 'answered', 'lost', 'recovered in', 'closed in', 'processes left', 'handles left', ''];
  const rule = ['---', '---:', '---:', '---:', '---:', '---:', '---:', '---'];
  const table = [head, rule, ...outcomes.map(row)].map((cells) => `| ${cells.join(' | ')} |`);
  const problems = outcomes.flatMap((outcome) => problemsOf(outcome).map((text) => `- ${outcome.fault}: ${text}`));
  return [...table, ...(problems.length > 0 ? ['', ...problems] : [])].join('\n');
}
