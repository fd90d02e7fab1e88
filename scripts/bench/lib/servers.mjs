import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../server/bench-server.mjs', import.meta.url));

/**
 * `count` bench servers as `{id, command, args}`.
 *
 * @param {object} options
 * @param {string} options.mark stands in the command line of every one of their processes
 * @param {boolean} [options.wrapped] behind a shell that stays, as `npx`, `uvx` and start scripts do
 * @param {boolean} [options.stubborn]
 * @param {number} [options.tools] tools of each; default 25
 */
export function benchServers(count, { mark, wrapped = false, stubborn = false, tools = 25 }) {
  const args = [SERVER, '--mark', mark, '--tools', String(tools), ...(stubborn ? ['--stubborn'] : [])];
  const start = wrapped
    ? { command: 'sh', args: ['-c', '"$@"; exit $?', 'wrapper', process.execPath, ...args] }
    : { command: process.execPath, args };
  return Array.from({ length: count }, (_, i) => ({ id: `server-${i}`, ...start }));
}
