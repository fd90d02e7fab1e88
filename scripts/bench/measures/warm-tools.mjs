import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFromApp } from '../lib/app-modules.mjs';
import { benchServers } from '../lib/servers.mjs';
import { median } from '../lib/statistics.mjs';
import { cpuSince, threadCpu } from '../lib/thread-cpu.mjs';
import { pick, runWorker } from '../lib/workers.mjs';

const SERVERS = 10;
const TOOLS = 50;
const TIMES = 50;
const FORMATS = ['openai', 'anthropic', 'google'];

export const bars = {
  cpu: { title: `Warm \`setupMcpTools\` with ${SERVERS * TOOLS} tools, slowest format, CPU`, unit: 'ms', limit: 2 },
  clock: { title: 'The same by the clock', unit: 'ms' },
  messages: { title: 'Messages that the servers got from it', unit: 'messages', limit: 0, exact: true },
};

export async function measure({ rounds }) {
  const answers = [];
  for (let round = 0; round < rounds; round++) answers.push(await runWorker('warm-tools', 'app'));
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(answers, key) }]));
}

/** Logs into a file as the app does, since the log of what a model is given is part of the work. */
export async function inWorker({ create, mark }) {
  const { setupMcpTools } = await importFromApp('main/services/capabilities/tools/mcp-users/ToolsLoader.ts');
  const { createFileLogger } = await importFromApp('main/platform/logger/file-logger.ts');
  const { createRedactor } = await importFromApp('main/platform/logger/redactor.ts');
  const folder = mkdtempSync(join(tmpdir(), 'tinyelf-bench-'));
  const peer = create();
  const { service } = peer;
  const pool = {
    logger: createFileLogger({ folder, redactor: createRedactor() }),
    listServerTools: (serverId) => service.listServerTools(serverId),
    listAllActiveServerTools: () => service.listAllActiveServerTools(),
  };
  const setUp = (format) => setupMcpTools(pool, { enabled: true }, format);
  /** Each server answers with how many messages it got: the question itself is one of them. */
  const received = async () => {
    const answers = await Promise.all(
      Array.from({ length: SERVERS }, (_, i) => peer.call(`server-${i}`, 'count_messages', {})),
    );
    return answers.reduce((sum, { content }) => sum + Number(content[0].text), 0);
  };

  await peer.connectAll(benchServers(SERVERS, { mark, tools: TOOLS }));
  for (const format of FORMATS) {
    const { mcpTools } = await setUp(format);
    if (mcpTools.length !== SERVERS * TOOLS) throw new Error(`${mcpTools.length} tools`);
  }
  const before = await received();
  const cpu = [];
  const clock = [];
  for (const format of FORMATS) {
    const times = [];
    const before = threadCpu();
    for (let i = 0; i < TIMES; i++) {
      const start = performance.now();
      await setUp(format);
      times.push(performance.now() - start);
    }
    cpu.push(cpuSince(before) / 1000 / TIMES);
    clock.push(median(times));
  }
  const messages = (await received()) - before - SERVERS;
  await peer.closeAll();
  rmSync(folder, { recursive: true, force: true });
  return { cpu: Math.max(...cpu), clock: Math.max(...clock), messages };
}
