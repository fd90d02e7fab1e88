// Ignores the end of its input and SIGTERM. `--detached` starts a grandchild first that leaves the process group.
import { spawn } from 'node:child_process';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
if (process.argv.includes('--detached')) {
  const args = process.argv.slice(1).filter((argument) => argument !== '--detached');
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
}
process.stdout.write('started\n');
setInterval(() => {}, 1000);
setTimeout(() => process.exit(), 120_000).unref();
