import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonDocument, type SetAsideReport } from './json-document.ts';

// Without Electron its package only gives a path, and looks for the binary unless it is told where that is.
process.env.ELECTRON_OVERRIDE_DIST_PATH ??= join(tmpdir(), 'no-electron-here');
const { openElectronStore } = await import('./electron-store.ts');

/** A document over the real electron-store. */
export function openDocument(file: string) {
  const reports: SetAsideReport[] = [];
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const document = new JsonDocument({
    file,
    openFile: openElectronStore,
    clock: { now: () => Date.UTC(2026, 10, 29, 12, 30, 5) },
    logger: { debug: log, info: log, warn: log, error: log },
    onSetAside: (report) => reports.push(report),
  });
  return { document, reports, logged };
}
