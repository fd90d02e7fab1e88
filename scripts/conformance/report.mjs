import { readFileSync } from 'node:fs';
import { inRoot } from '../lib/paths.mjs';

export const BARE_RECORD = inRoot('scripts', 'conformance', 'bare-sdk.json');

/** What a bare SDK client passed when it was recorded, by `suite scenario`. */
export const bareRecord = () => JSON.parse(readFileSync(BARE_RECORD, 'utf8'));

const MARKS = { passed: '✓', failed: '✗', 'not-applicable': '–' };
const WORDS = { passed: 'passes', failed: 'FAILS', 'not-applicable': 'does not apply' };
const NOTE_LENGTH = 160;

/**
 * A table per suite: each scenario, how we do, and how a bare SDK client did.
 *
 * @param {import('./run.mjs').Result[]} results
 * @param {Record<string, boolean>} bare by `suite scenario`: whether the bare client passes
 */
export function report(results, bare) {
  const lines = [];
  for (const suite of new Set(results.map((result) => result.suite))) {
    lines.push(
      '',
      `Suite ${suite}`,
      `  ${'scenario'.padEnd(44)} ${'this app'.padEnd(14)} ${'checks'.padEnd(8)} bare SDK`,
    );
    for (const result of results.filter((each) => each.suite === suite)) {
      const { scenario, verdict, good, bad, note } = result;
      const checks = good + bad === 0 ? '' : `${good}/${good + bad}`;
      const bareWord = { true: 'passes', false: 'fails' }[bare[`${suite} ${scenario}`]] ?? '';
      const line = `${MARKS[verdict]} ${scenario.padEnd(44)} ${WORDS[verdict].padEnd(14)} ${checks.padEnd(8)} ${bareWord}`;
      lines.push(line.trimEnd());
      if (note) lines.push(`    ${note.slice(0, NOTE_LENGTH)}`);
    }
  }
  const count = (verdict) => results.filter((result) => result.verdict === verdict).length;
  const behind = results.filter((result) => isBehind(result, bare));
  lines.push(
    '',
    `${count('passed')} scenarios pass, ${count('failed')} fail, ${count('not-applicable')} do not apply.`,
    behind.length === 0
      ? 'Everything that a bare SDK client passes, passes, or stands in the list of what does not apply.'
      : `A bare SDK client passes what we do not: ${behind.map(({ suite, scenario }) => `${scenario} (${suite})`).join(', ')}`,
  );
  return lines.join('\n');
}

/** The scenarios with a verdict, by name and without repetition: both suites have most of them. */
export const namesOf = (results, verdict) => [
  ...new Set(results.filter((result) => result.verdict === verdict).map(({ scenario }) => scenario)),
];

const isBehind = ({ suite, scenario, verdict }, bare) => verdict === 'failed' && bare[`${suite} ${scenario}`] === true;
