import { ELECTRON_VITE, forgetBuild } from './lib/build.mjs';
import { hasDisplay, startVirtualDisplay } from './lib/display.mjs';
import { chooseElectron, refuseRootWithSandbox } from './lib/electron-runtime.mjs';
import { main } from './lib/failure.mjs';
import { runInForeground } from './lib/launch.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';

/** `npm run dev`: the app with hot reload. Arguments after `--` go to the app. */
await main(async () => {
  await enterRuntime(import.meta.url);
  const args = process.argv.slice(2);
  const electron = await chooseElectron();
  refuseRootWithSandbox(electron, args);
  const display = hasDisplay() ? undefined : await startVirtualDisplay();
  if (display) console.log(`• There is no display: using a virtual one (Xvfb ${display.name}).`);
  console.log(`• Starting with hot reload on ${electron.description}`);
  forgetBuild();
  const { code, signal, stoppedBy } = await runInForeground({
    command: process.execPath,
    args: [ELECTRON_VITE, 'dev', ...(args.length > 0 ? ['--', ...args] : [])],
    // electron-vite looks for the program in a variable of its own.
    env: {
      ...process.env,
      ...electron.env,
      ELECTRON_EXEC_PATH: electron.binary,
      ...(display && { DISPLAY: display.name }),
    },
  });
  await display?.stop();
  process.exit(stoppedBy && signal !== 'SIGKILL' ? 0 : (code ?? 1));
});
