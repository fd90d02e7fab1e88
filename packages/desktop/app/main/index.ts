import { resolve } from 'node:path';
import { app } from 'electron';
import { start } from './bootstrap/start.ts';
import { registerRendererScheme } from './platform/window/renderer-scheme.ts';

// Before the lock and any store: a run with its own folder shares nothing with the person's own.
const userDataDir = app.commandLine.getSwitchValue('user-data-dir');
if (userDataDir) app.setPath('userData', resolve(userDataDir));

registerRendererScheme();

if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      // Without what is put together there, there is nothing that could show or log it.
      console.error('The app could not start:', error);
      app.exit(1);
    });
} else {
  console.log('TinyElf already runs with this data folder; its window comes to the front.');
  app.quit();
}
