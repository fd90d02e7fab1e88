import { fileURLToPath } from 'node:url';
import { findProgram } from '../../lib/system-packages.mjs';

const SERVER = fileURLToPath(new URL('../server/bench-server.mjs', import.meta.url));

/**
 * `count` bench servers as `{id, command, args}`.
 *
 * @param {object} options
 * @param {string} options.mark stands in the command line of every one of their processes
 * @param {boolean} [options.wrapped] behind a shell that stays, as `npx`, `uvx` and start scripts do
 * @param {boolean} [options.stubborn]
 * @param {boolean} [options.ownSession] in a session each, whoever starts them. Linux shares a busy machine's cores out by
 *   session: the app's servers, which have their own anyway, would start up to four times as fast as the raw SDK's
 * @param {number} [options.tools] tools of each; default 25
 */
export function benchServers(count, { mark, wrapped = false, stubborn = false, ownSession = false, tools = 25 }) {
  const args = [SERVER, '--mark', mark, '--tools', String(tools), ...(stubborn ? ['--stubborn'] : [])];
  let command = [process.execPath, ...args];
  if (wrapped) command = ['sh', '-c', '"$@"; exit $?', 'wrapper', ...command];
  if (ownSession && findProgram(['setsid'])) command = ['setsid', '--wait', ...command];
  return Array.from({ length: count }, (_, i) => ({ id: `server-${i}`, command: command[0], args: command.slice(1) }));
}
