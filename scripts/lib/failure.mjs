import { endRunning } from './run.mjs';
import { onStopSignal } from './stop-signals.mjs';

/** A reason to stop that the person can do something about: shown as it is, without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

/**
 * Runs a script's body; prints what stopped it and ends with exit code 1. A signal ends the script and what it runs, until
 * the body sees to signals itself.
 */
export async function main(body) {
  onStopSignal((_signal, exitCode) => {
    void endRunning().then(() => process.exit(exitCode));
  });
  try {
    await body();
  } catch (error) {
    console.error(`\n${error instanceof SetupError ? error.message : (error?.stack ?? error)}`);
    await endRunning();
    process.exit(1);
  }
}
