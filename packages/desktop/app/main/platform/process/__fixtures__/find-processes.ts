import { readdirSync, readFileSync } from 'node:fs';

let tokens = 0;
/** A text that marks the processes of one test, on their command lines. */
export const newToken = (): string => `tinyelf-test-${process.pid}-${Date.now()}-${tokens++}`;

/** Pids of the living processes whose command line contains `token`; the test's own left out. */
export const pidsWith = (token: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandOf(pid).includes(token));

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
