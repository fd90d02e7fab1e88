import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
 * @param {boolean} [options.detached] each starts a program in a session of its own
 * @param {boolean} [options.exitAtProbe] they end at the newer era's first question
 * @param {boolean} [options.ownSession] in a session each, whoever starts them. Linux shares a busy machine's cores out by
 *   session: the app's servers, which have their own anyway, would start up to four times as fast as the raw SDK's
 * @param {number} [options.tools] tools of each; default 25
 */
export function benchServers(count, { mark, wrapped = false, ownSession = false, tools = 25, ...flags }) {
  const args = [SERVER, '--mark', mark, '--tools', String(tools), ...flagsOf(flags)];
  let command = [process.execPath, ...args];
  if (wrapped) command = ['sh', '-c', '"$@"; exit $?', 'wrapper', ...command];
  if (ownSession && findProgram(['setsid'])) command = ['setsid', '--wait', ...command];
  return Array.from({ length: count }, (_, i) => ({ id: `server-${i}`, command: command[0], args: command.slice(1) }));
}

const flagsOf = ({ stubborn, detached, exitAtProbe }) => [
  ...(stubborn ? ['--stubborn'] : []),
  ...(detached ? ['--detached'] : []),
  ...(exitAtProbe ? ['--exit-at-probe'] : []),
];

/**
 * One bench server over streamable HTTP, in a process of its own.
 *
 * @param {string} mark stands in its command line
 * @returns {Promise<{server: {id: string, url: string}, close: () => void}>}
 */
export async function startHttpServer(mark) {
  const child = spawn(process.execPath, [SERVER, '--mark', mark, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { server: { id: 'server-0', url: `http://127.0.0.1:${port.trim()}/mcp` }, close: () => child.kill('SIGKILL') };
}
