import { endRunning } from './run.mjs';
import { onStopSignal } from './stop-signals.mjs';

/** A reason to stop that the person can do something about: shown as it is, without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

/** How the system says that a file may not be written. */
const REFUSALS = { EACCES: 'it is not yours', EPERM: 'it is not yours', EROFS: 'its disk is read-only' };
Object.assign(REFUSALS, { ENOSPC: 'the disk is full', EDQUOT: 'the disk is full' });

/** Whether the disk refused to write. */
export const isRefusedWrite = (error) => Object.hasOwn(REFUSALS, error?.code ?? '');

/** What to tell the person about whatever stopped a script. */
export function reasonOf(error) {
  if (error instanceof SetupError) return error.message;
  if (!isRefusedWrite(error)) return error?.stack ?? String(error);
  return (
    `${error.path ?? 'A file'} can't be written: ${REFUSALS[error.code]} (${error.code}).\n\n` +
    'Packages, build and notes go into the folder of the repository. Run the same command as the user whose folder it is,\n' +
    'or in a copy of your own, with 2 GB of room.'
  );
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
    console.error(`\n${reasonOf(error)}`);
    await endRunning();
    process.exit(1);
  }
}
