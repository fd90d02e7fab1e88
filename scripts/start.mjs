import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ensureBuilt } from './lib/build.mjs';
import { savePicture } from './lib/cdp-picture.mjs';
import { virtualDisplayFor } from './lib/display.mjs';
import { chooseElectron, refuseRootWithSandbox } from './lib/electron-runtime.mjs';
import { main } from './lib/failure.mjs';
import { runInForeground } from './lib/launch.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';

const PICTURE_MS = 60_000;

/** `npm start`: runs the app, after whatever is missing for that has been made. Arguments after `--` go to the app. */
async function start() {
  const args = process.argv.slice(2);
  const electron = await chooseElectron();
  refuseRootWithSandbox(electron, args);
  await ensureBuilt(electron.env);
  console.log(`• Starting TinyElf Desktop on ${electron.description}`);

  const env = { ...process.env, ...electron.env };
  const display = await virtualDisplayFor(electron);
  if (!display) return runInForeground({ command: electron.binary, args: [ROOT, ...args], env });
  console.log(`• There is no display: using a virtual one (Xvfb ${display.name}).`);
  let ended = false;
  try {
    return await runInForeground({
      command: electron.binary,
      // The picture is taken over this port; only programs on this machine reach it.
      args: [ROOT, '--remote-debugging-port=0', ...args],
      env: { ...env, ...display.env },
      onDevTools: (endpoint) => void showPicture(endpoint, () => ended),
    });
  } finally {
    ended = true;
    await display.stop();
  }
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Says nothing when the app has ended meanwhile: another one runs with the same data, say. */
async function showPicture(endpoint, hasEnded) {
  try {
    const file = join(isWritable(inRoot('out')) ? inRoot('out') : tmpdir(), 'first-window.png');
    await savePicture(endpoint, file, PICTURE_MS);
    console.log(`• A picture of the first window: ${file}`);
  } catch (error) {
    // Its port closes a moment before the app is gone.
    await setTimeout(1000);
    if (hasEnded()) return;
    console.log(`• No picture of the first window could be taken: ${error.message}.`);
  }
  console.log('  "npm run demo" shows a whole conversation without a display.');
  console.log('  The app is running; Ctrl-C ends it.');
}

await main(async () => {
  await enterRuntime(import.meta.url);
  const { code, signal, stoppedBy } = await start();
  if (signal && !stoppedBy) console.error(`• The app was ended by ${signal}.`);
  process.exit(stoppedBy && signal !== 'SIGKILL' ? 0 : (code ?? 1));
});
