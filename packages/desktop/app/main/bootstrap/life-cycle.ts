import { app } from 'electron';
import type { Logger } from '../services/ports/infrastructure.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export interface LifeCycle {
  shutdown(): Promise<void>;
  /** Kills every process tree at once, synchronously. */
  killAll(): void;
  logger: Logger;
}

/**
 * Ties every way in which the app can end to the one shutdown. Call it after `ready`: Electron installs its own signal
 * handlers before, and they would replace ours.
 */
export function tieLifeCycle({ shutdown, killAll, logger }: LifeCycle): void {
  let exitCode = 0;

  app.on('before-quit', (event) => {
    // The app leaves by `app.exit` below, once everything is closed; a second quit meanwhile changes nothing.
    event.preventDefault();
    void shutdown().then(() => app.exit(exitCode));
  });

  let signalled = false;
  for (const [signal, number] of Object.entries(SIGNALS)) {
    // Whoever listened before `ready` (a library of electron-store does) holds Node's one handler of this signal, which
    // Electron has replaced by now: only a first listener makes Node install it again.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (signalled) {
        killAll();
        process.exit(128 + number);
      }
      signalled = true;
      exitCode = 128 + number;
      logger.info('Ending on a signal', { signal });
      app.quit();
    });
  }

  // At the end of a session Windows waits for nothing: what stops streams and keeps their text gets as far as it can.
  app.on('browser-window-created', (_event, window) =>
    window.on('session-end', () => {
      void shutdown();
      killAll();
    }),
  );

  process.on('uncaughtException', (error) => {
    logger.error('An error that nothing caught', { error: error.stack ?? String(error) });
    exitCode = 1;
    app.quit();
  });
  process.on('unhandledRejection', (reason) => {
    logger.error('A rejection that nothing handled', {
      error: reason instanceof Error ? reason.stack : String(reason),
    });
  });
  process.on('exit', killAll);
}
