// A program that holds direct connections as a run does: run-owner.mjs HOW TOKEN SERVER…, a server being the JSON of one. Prints
// `ready` with the number of tools when they stand. HOW is what happens at the end of its input: `exit` (process.exit), `throw`
// (an uncaught exception). `raw` starts one process past `platform/process`, which then has only the tracker, and exits.
import { spawn } from 'node:child_process';
import { ProcessManager, ServerEnvironment } from '../../../../../../platform/process/index.ts';
import { loadDirectMcpTools } from '../DirectMcpToolAdapter.ts';
import { McpProcessTracker } from '../McpProcessTracker.ts';

const [how, token, ...servers] = process.argv.slice(2);
const silent = () => {};
const endOfInput = new Promise((resolve) => process.stdin.resume().on('end', resolve));
if (how === 'raw') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', token], { detached: true });
  const killSync = () => process.kill(-child.pid, 'SIGKILL');
  const broken = () => {
    throw new Error('on purpose');
  };
  const close = async () => {};
  McpProcessTracker.getInstance().track({ process: { kill: close, killSync: broken }, close });
  McpProcessTracker.getInstance().track({ process: { kill: close, killSync }, close });
  process.stdout.write('ready\n');
  await endOfInput;
  process.exit(0);
}
const host = {
  processes: new ProcessManager({ environment: new ServerEnvironment({ readShellPath: async () => undefined }) }),
  clientInfo: { name: 'run-owner', version: '0' },
  logger: { debug: silent, info: silent, warn: silent, error: silent },
};
const { tools } = await loadDirectMcpTools(servers.map((server) => ({ ...JSON.parse(server), host })));
process.stdout.write(`ready ${tools.length}\n`);
await endOfInput;
if (how === 'exit') process.exit(0);
throw new Error('on purpose');
