import { spreadOf } from './statistics.mjs';

/**
 * @typedef {object} Bar
 * @property {string} title
 * @property {string} unit of the samples
 * @property {number} [limit] what the app may take at most: times the raw SDK where `compared`, otherwise in `unit`. Without
 *   one the row is only shown
 * @property {boolean} [compared] judged by the ratio to the raw SDK in the same round
 * @property {boolean} [exact] a count that must hold in every round: it has no spread
 *
 * @typedef {object} Samples one value for each round
 * @property {number[]} app
 * @property {number[]} [raw]
 */

/**
 * What the rounds say about a bar. `met`: the median is within the limit. `missed`: the lower quartile is above it, so three
 * rounds of four are, and the spread of the rounds can't explain it; of an exact bar, any round is. Between the two it is
 * `unclear`: the median is above the limit, by less than the spread of the rounds.
 *
 * @param {Bar} bar
 * @param {Samples} samples
 */
export function judge(bar, { app, raw }) {
  const judged = bar.compared ? app.map((value, round) => value / raw[round]) : app;
  const spread = spreadOf(judged);
  const verdict = () => {
    if (bar.limit === undefined) return 'shown';
    if (bar.exact) return spread.max <= bar.limit ? 'met' : 'missed';
    if (spread.median <= bar.limit) return 'met';
    return spread.q1 > bar.limit ? 'missed' : 'unclear';
  };
  return { ...spread, verdict: verdict() };
}
