import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, outcomeOf } from './stages.mjs';

const vitestReport = (testResults, sums) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  ...sums,
  testResults,
});

describe('countVitest', () => {
  it('counts tests', () => {
    const report = vitestReport([], { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
    expect(countVitest(report)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be loaded as a failure', () => {
    const broken = { status: 'failed', assertionResults: [] };
    const failing = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    expect(countVitest(vitestReport([broken, failing], { numFailedTests: 1 })).failed).toBe(2);
  });
});

describe('countPlaywright', () => {
  it('counts a flaky test and an error outside of tests as failures', () => {
    const stats = { expected: 7, unexpected: 1, flaky: 1, skipped: 2 };
    expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 7, failed: 3, skipped: 2 });
  });
});

describe('outcomeOf', () => {
  const counting = (counts) => () => counts;
  const report = () => ({});

  it('passes sums on when the run was whole', () => {
    const outcome = outcomeOf({ code: 0, output: '' }, report, counting({ passed: 3, failed: 0, skipped: 1 }));
    expect(outcome).toMatchObject({ passed: 3, failed: 0, skipped: 1 });
  });

  it('does not count failing tests twice', () => {
    const outcome = outcomeOf({ code: 1, output: '' }, report, counting({ passed: 3, failed: 2 }));
    expect(outcome).toMatchObject({ passed: 3, failed: 2 });
  });

  it.each([
    ['no report', { code: 1, output: '' }, () => JSON.parse('{'), { passed: 0, failed: 0 }],
    ['no test', { code: 0, output: '' }, report, { passed: 0, failed: 0 }],
    ['a crash after passing tests', { code: 139, output: '' }, report, { passed: 3, failed: 0 }],
    ['a run that was stopped', { code: null, output: '', stopped: 'timeout' }, report, { passed: 3, failed: 0 }],
    [
      'a runner that is not there',
      { code: null, output: '', error: new Error('ENOENT') },
      report,
      { passed: 3, failed: 0 },
    ],
  ])('counts %s as a failure', (_what, result, read, counts) => {
    expect(outcomeOf(result, read, counting(counts)).failed).toBe(1);
  });
});
