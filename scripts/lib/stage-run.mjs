import { duration } from './progress.mjs';
import { keepOutput } from './stages.mjs';

const SIGN_OF_LIFE_MS = 20_000;
/** A failing stage's output is shown up to this many lines from its end; the whole is in a file. */
const SHOWN_LINES = 200;

/** Runs stages, tells how each went as soon as it is known, and keeps the sums. */
export class StageRun {
  passed = 0;
  failed = 0;

  /**
   * @param {string} name also the name of its log file
   * @param {() => Promise<import('./stages.mjs').Outcome>} stage
   * @returns {Promise<boolean>} whether nothing failed in it
   */
  async run(name, stage) {
    const start = performance.now();
    const time = () => duration(performance.now() - start);
    const reminder = setInterval(() => console.log(`  ${name} … ${time()}`), SIGN_OF_LIFE_MS);
    let outcome;
    try {
      outcome = await stage();
    } catch (error) {
      outcome = { passed: 0, failed: 1, output: error.stack };
    } finally {
      clearInterval(reminder);
    }
    const { passed, failed, skipped, output } = outcome;
    this.passed += passed;
    this.failed += failed;
    const log = keepOutput(name, output);
    const note = skipped ? `, ${skipped} skipped` : '';
    console.log(
      `${failed === 0 ? '✓' : '✗'} ${name.padEnd(12)} ${passed} passed, ${failed} failed${note}  (${time()})`,
    );
    if (outcome.note) console.log(`  ${outcome.note}`);
    if (failed > 0) {
      const lines = output.split('\n');
      if (lines.length > SHOWN_LINES) console.log(`    … the whole output: ${log}`);
      console.log(
        lines
          .slice(-SHOWN_LINES)
          .map((line) => `    ${line}`)
          .join('\n'),
      );
    }
    return failed === 0;
  }

  /** Counts a stage that can't run as a failure. */
  skip(name, reason) {
    this.failed += 1;
    console.log(`✗ ${name.padEnd(12)} not run: ${reason}`);
  }
}
