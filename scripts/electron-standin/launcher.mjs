import inspector from 'node:inspector';
import { createRequire } from 'node:module';
import { loadApp } from './lib/app-loader.mjs';
import { Chromium, sweepLeftovers } from './lib/chromium.mjs';
import { setUpElectron } from './lib/electron-module.mjs';
import { note } from './lib/log.mjs';
import { provideElectron } from './lib/module-hooks.mjs';
import { interceptRequests, navigationRequested, updateInterception } from './lib/navigation.mjs';
import { shapeProcess, survivesUncaughtExceptions } from './lib/process-shape.mjs';
import { onProtocolChange } from './lib/protocol.mjs';
import { runtime } from './lib/runtime.mjs';
import { installShutdownSignals } from './lib/signals.mjs';
import { parseCommandLine } from './lib/switches.mjs';
import { followTargets } from './lib/targets.mjs';
import { internals } from './lib/web-contents.mjs';
import { onWebRequestChange } from './lib/web-request.mjs';

const require = createRequire(import.meta.url);
const electronVersion = require('electron/package.json').version;
const args = process.argv.slice(2);
const commandLine = parseCommandLine(args);

if (commandLine.version || commandLine.app === null) {
  process.stdout.write(commandLine.version ? `v${electronVersion}\n` : 'Usage: electron [options] [path]\n');
  process.exit(0);
}

runtime.args = args;
runtime.switches = commandLine.switches;
try {
  // First, as it takes the longest.
  runtime.chromium = new Chromium(commandLine.switches);
} catch (error) {
  note(/** @type {Error} */ (error).message);
  process.exit(1);
}

const electron = setUpElectron(electronVersion);
const { app, dialog } = electron;
const { lifecycle } = app.standin;
shapeProcess({ args, electronVersion, app });
survivesUncaughtExceptions(dialog.showErrorBox);
provideElectron(electron);
process.on('exit', () => {
  // An orderly end removes Chromium itself, after the app's own listeners.
  if (!lifecycle.shutDown) runtime.chromium.destroy();
});

const { connection } = runtime.chromium;
internals.onNavigationRequested = navigationRequested;
onProtocolChange(updateInterception);
onWebRequestChange(updateInterception);
connection.on('close', () => {
  if (lifecycle.shutDown) return;
  note(runtime.chromium.exited || 'Chromium ended.');
  app.exit(1);
});
const chromiumReady = Promise.all([runtime.chromium.readVersion(), followTargets(), interceptRequests()]);
// Awaited below; until then its failure is nobody's unhandled rejection.
chromiumReady.catch(() => {});

if (commandLine.inspect) {
  const { port, host, wait } = commandLine.inspect;
  inspector.open(port, host, wait);
}
for (const file of commandLine.requires) require(require.resolve(file, { paths: [process.cwd()] }));

// Electron starts without an app that doesn't load, too.
await loadApp(commandLine.app, app).catch((error) => process.emit('uncaughtException', error, 'uncaughtException'));
await chromiumReady;
installShutdownSignals(() => app.quit());
if (commandLine.switches.has('remote-debugging-port')) {
  process.stderr.write(`\n${await runtime.chromium.devtoolsLine()}\n`);
}
lifecycle.start();
void sweepLeftovers();
