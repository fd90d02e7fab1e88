import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServerConfig, McpServerState } from '@shared/contracts/mcp-types.ts';
import { onTestFinished } from 'vitest';
import { ProcessManager, ServerEnvironment } from '../../../../../platform/process/index.ts';
import type { DocumentStore, Logger, SecretBox } from '../../../../ports/infrastructure.ts';
import { McpService, type McpServiceOptions } from '../McpService.ts';
import { DEFAULT_RETRY_TIMES } from '../retry-policy.ts';

const silent = () => {};
export const silentLogger: Logger = { debug: silent, info: silent, warn: silent, error: silent };

/** A store in memory that keeps what a file would keep: JSON. */
export function memoryStore(document?: unknown): DocumentStore & { text(): string } {
  let text = document === undefined ? '' : JSON.stringify(document);
  return {
    read: () => (text === '' ? undefined : JSON.parse(text)),
    write: (value) => {
      text = JSON.stringify(value);
    },
    text: () => text,
  };
}

/** Seals so that the plain text can't be found in the sealed one. */
export const testSecrets: SecretBox = {
  seal: async (plain) => `sealed:${Buffer.from(plain).toString('base64')}`,
  open: async (sealed) => Buffer.from(sealed.slice('sealed:'.length), 'base64').toString(),
};

/** Retries that come quickly, as many as in the app. */
export const QUICK_RETRIES = { ...DEFAULT_RETRY_TIMES, firstMs: 40, longestMs: 200 };

/** A pool of its own for one test, closed when the test is over. The shell of whoever runs the test is not asked. */
export function makePool(options: Partial<McpServiceOptions> = {}) {
  const processes = new ProcessManager({
    environment: new ServerEnvironment({ readShellPath: async () => undefined }),
    stopTimes: { endOfInputMs: 500, terminateMs: 300 },
  });
  const store = memoryStore();
  const service = new McpService({
    store,
    secrets: testSecrets,
    processes,
    fetch: globalThis.fetch,
    logger: silentLogger,
    clientInfo: { name: 'tinyelf-test', version: '0.0.0' },
    retryTimes: QUICK_RETRIES,
    ...options,
  });
  const states: McpServerState['status'][] = [];
  service.events.on('state', ({ state }) => states.push(state.status));
  onTestFinished(async () => {
    await service.closeAll();
    await processes.stopAll();
    processes.dispose();
  });
  return { service, processes, store, states };
}

export const stateOf = (service: McpService, serverId: string): McpServerState => {
  const status = service.listServers().find(({ server }) => server.id === serverId);
  if (!status) throw new Error(`no server ${serverId}`);
  return status.state;
};

const ODD_SERVER = fileURLToPath(new URL('odd-server.mjs', import.meta.url));

/** The odd server with the given behaviours. */
export const oddServer = (...behaviours: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [ODD_SERVER, ...behaviours.map((behaviour) => `--${behaviour}`)],
});

/** A file that the odd server writes notes to. */
export function notesFile() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-notes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'notes');
  writeFileSync(file, '');
  return { file, lines: () => readFileSync(file, 'utf8').split('\n').filter(Boolean) };
}

/** Polls until `condition` holds. */
export async function until(condition: () => boolean, what: string, ms = 15_000): Promise<void> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
