import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { runtime } from './runtime.mjs';

/**
 * Gives `process` what Electron's main process has.
 *
 * @param {{ args: string[], electronVersion: string, app: import('./app.mjs').App }} options
 */
export function shapeProcess({ args, electronVersion, app }) {
  const versions = { ...process.versions, electron: electronVersion };
  Object.defineProperty(versions, 'chrome', { enumerable: true, get: () => runtime.chromium.version });
  const fixed = {
    versions,
    type: 'browser',
    resourcesPath: path.join(import.meta.dirname, '..', 'resources'),
    defaultApp: true,
  };
  for (const [name, value] of Object.entries(fixed)) {
    Object.defineProperty(process, name, { value, enumerable: true, configurable: true });
  }
  process.argv = [process.execPath, ...args];
  // The launcher's own flags are not for the app's children.
  process.execArgv = [];
  // Electron maps this, so that quitting is orderly.
  process.exit = /** @type {any} */ ((code) => app.exit(Number(code ?? process.exitCode ?? 0)));

  const { fork } = childProcess;
  childProcess.fork = /** @type {any} */ (
    (modulePath, ...rest) => {
      const forkArgs = Array.isArray(rest[0]) ? rest[0] : [];
      const options = (Array.isArray(rest[0]) ? rest[1] : rest[0]) ?? {};
      const env = { ...(options.env ?? process.env), ELECTRON_RUN_AS_NODE: '1' };
      return fork(modulePath, forkArgs, { ...options, env });
    }
  );
  syncBuiltinESMExports();
}

/**
 * An error that nobody catches is shown, not fatal. A listener of the app's own replaces the dialog.
 *
 * @param {(title: string, content: string) => void} showErrorBox
 */
export function survivesUncaughtExceptions(showErrorBox) {
  process.on('uncaughtException', (error) => {
    if (process.listenerCount('uncaughtException') > 1) return;
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    showErrorBox('A JavaScript error occurred in the main process', `Uncaught Exception:\n${text}`);
  });
}
