// A program that owns process trees: owner.mjs TOKEN LEDGER HOW. Prints `ready` when they run. HOW is what happens then:
// `wait` (to be killed), `exit` (process.exit), `throw` (an uncaught exception), `stop` (in good order).
// `polite` after it starts one more tree, see POLITE.
import { fileURLToPath } from 'node:url';
import { ProcessManager, ServerEnvironment } from '../index.ts';

const [token, ledgerFile, how, ...more] = process.argv.slice(2);
const stubborn = fileURLToPath(new URL('stubborn.mjs', import.meta.url));
const manager = new ProcessManager({
  ledgerFile,
  environment: new ServerEnvironment({ readShellPath: async () => undefined }),
});
const node = process.execPath;
// Leaves at the end of its input, and leaves behind what can be found by its parent only.
const POLITE = `
  const { spawn } = require('node:child_process');
  const [stubborn, token] = process.argv.slice(1);
  spawn(process.execPath, [stubborn, token], { detached: true, env: {}, stdio: 'ignore' }).unref();
  process.stdin.resume().on('end', () => process.exit());
  console.log('started');`;
const specs = [
  { command: node, args: [stubborn, token] },
  { command: 'sh', args: ['-c', '"$0" "$@"; true', node, stubborn, token] },
  { command: node, args: [stubborn, token, '--detached'] },
  // A wrapper that is gone at once, and leaves a server that left the group.
  { command: 'sh', args: ['-c', 'setsid "$0" "$@" & exec "$0" "$@"', node, stubborn, token] },
];
if (more.includes('polite')) specs.push({ command: node, args: ['-e', POLITE, stubborn, token] });
for (const spec of specs) {
  const tree = await manager.start(spec);
  tree.stderr.resume();
  await new Promise((resolve) => tree.stdout.once('data', resolve));
  tree.stdout.resume();
}
// The detached ones start a moment later, and the watcher looks every second.
await new Promise((resolve) => setTimeout(resolve, 2500));
process.stdout.write('ready\n');
if (how === 'exit') process.exit(0);
if (how === 'throw')
  setImmediate(() => {
    throw new Error('on purpose');
  });
if (how === 'stop') {
  await manager.stopAll();
  manager.dispose();
}
if (how === 'wait') setInterval(() => {}, 1000);
