import { once } from 'node:events';
import { watch } from 'node:fs';
import { ELECTRON_VITE, forgetBuild, isMainBuilt } from './lib/build.mjs';
import { virtualDisplayFor } from './lib/display.mjs';
import { chooseElectron, refuseRootWithSandbox } from './lib/electron-runtime.mjs';
import { main } from './lib/failure.mjs';
import { runInForeground } from './lib/launch.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { inRoot } from './lib/paths.mjs';

/** What main and the preload are made of; the page's own changes reach it without a restart. */
const RESTARTED_FOR = inRoot('packages', 'desktop', 'app');
/** An editor writes several files one after another. */
const SETTLE_MS = 300;

/** A signal that is aborted when something that main or the preload is made of changes. */
function nextChange() {
  const controller = new AbortController();
  let settled;
  const watcher = watch(RESTARTED_FOR, { recursive: true }, (_event, file) => {
    if (!file || /\.test\.ts$/.test(file)) return;
    clearTimeout(settled);
    settled = setTimeout(() => {
      watcher.close();
      controller.abort();
    }, SETTLE_MS);
  });
  return controller.signal;
}

/** Runs the app until the person ends it; starts it anew for each change that a running one can't take. */
async function runAndRestart(options) {
  for (;;) {
    const changed = nextChange();
    forgetBuild();
    const result = await runInForeground({ ...options, stop: changed });
    // electron-vite ends with 0 when main can't be built, too.
    const wasClosed = result.code === 0 && isMainBuilt();
    if (result.stoppedBy || (wasClosed && !changed.aborted)) return result;
    if (!changed.aborted) {
      console.log('• It has ended. The next change of its code starts it again; Ctrl-C ends this.');
      await once(changed, 'abort');
    }
    console.log('• The code of main has changed: starting anew …');
  }
}

/** `npm run dev`: the app with hot reload. Arguments after `--` go to the app. */
await main(async () => {
  await enterRuntime(import.meta.url);
  const args = process.argv.slice(2);
  const electron = await chooseElectron();
  refuseRootWithSandbox(electron, args);
  const display = await virtualDisplayFor(electron);
  if (display) console.log(`• There is no display: using a virtual one (Xvfb ${display.name}).`);
  console.log(`• Starting with hot reload on ${electron.description}`);
  const { code, signal, stoppedBy } = await runAndRestart({
    command: process.execPath,
    args: [ELECTRON_VITE, 'dev', ...(args.length > 0 ? ['--', ...args] : [])],
    // electron-vite looks for the program in a variable of its own.
    env: { ...process.env, ...electron.env, ELECTRON_EXEC_PATH: electron.binary, ...display?.env },
  });
  await display?.stop();
  process.exit(stoppedBy && signal !== 'SIGKILL' ? 0 : (code ?? 1));
});
