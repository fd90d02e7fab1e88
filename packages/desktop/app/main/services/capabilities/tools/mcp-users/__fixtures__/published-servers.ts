import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { onTestFinished } from 'vitest';
import { until } from './pool.ts';

/** The program of a server that is installed as a package. */
export const programOf = (name: string): string =>
  fileURLToPath(
    new URL(`../../../../../../../../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url),
  );

const EVERYTHING = programOf('server-everything');

export const everythingOverStdio: McpServerConfig = { command: process.execPath, args: [EVERYTHING, 'stdio'] };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts server-everything over HTTP for one test. @returns its address */
export async function everythingOverHttp(kind: 'sse' | 'streamableHttp'): Promise<string> {
  const port = await freePort();
  let output = '';
  const child = spawn(process.execPath, [EVERYTHING, kind], { env: { ...process.env, PORT: String(port) } });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await until(() => /listening|running|port/i.test(output), `server-everything ${kind} listens`);
  return `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`;
}
