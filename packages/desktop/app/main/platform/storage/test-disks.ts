import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for a test, gone when the test is over. */
export function temporaryFolder(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'storage-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A small disk of its own, to be filled or made read-only. */
export function smallDisk(size: string) {
  const temp = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', temp.folder], { stdio: 'pipe' });
  return {
    folder: temp.folder,
    remount: (option: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${option}`, temp.folder]),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', temp.folder]);
      temp[Symbol.dispose]();
    },
  };
}

/** Whether {@link smallDisk} works here: it needs root on Linux. Says so when it doesn't. */
export function canMakeDisks(): boolean {
  try {
    smallDisk('64k')[Symbol.dispose]();
    return true;
  } catch {
    console.warn('Skipped: a full disk and a read-only folder (they need root on Linux, to mount a tmpfs).');
    return false;
  }
}
