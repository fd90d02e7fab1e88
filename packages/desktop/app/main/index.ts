import { resolve } from 'node:path';
import { app, dialog } from 'electron';
import { problemOfDataFolder } from './bootstrap/data-folder.ts';
import { proxySwitches } from './bootstrap/proxies.ts';
import { start } from './bootstrap/start.ts';
import { texts } from './platform/texts.ts';
import { registerRendererScheme } from './platform/window/renderer-scheme.ts';

// Before the lock and any store: a run with its own folder shares nothing with the person's own.
const userDataDir = app.commandLine.getSwitchValue('user-data-dir');
const dataFolder = userDataDir ? resolve(userDataDir) : app.getPath('userData');
const problem = problemOfDataFolder(dataFolder);
if (userDataDir && !problem) app.setPath('userData', dataFolder);

// Chromium reads its switches once, before it is ready. What was given on the command line counts more.
if (!['proxy-server', 'no-proxy-server', 'proxy-pac-url'].some((name) => app.commandLine.hasSwitch(name))) {
  for (const [name, value] of Object.entries(proxySwitches(process.env))) app.commandLine.appendSwitch(name, value);
}

registerRendererScheme();

if (problem) {
  giveUp(`${problem}\n\n${texts.start.otherFolder}`);
} else if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      // Without what is put together there, there is nothing else that could show or log it.
      console.error('The app could not start:', error);
      giveUp(String(error));
    });
} else {
  console.log('TinyElf already runs with this data folder; its window comes to the front.');
  app.quit();
}

function giveUp(why: string): void {
  dialog.showErrorBox(texts.start.failed, why);
  app.exit(1);
}
