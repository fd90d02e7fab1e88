import { tmpdir } from 'node:os';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { inRoot } from '../../lib/paths.mjs';
import { importFromApp } from '../lib/app-modules.mjs';
import { cpuSince, threadCpu } from '../lib/thread-cpu.mjs';
import { pick, runWorker } from '../lib/workers.mjs';
import { generatedTools } from '../server/tools.mjs';

const TOOLS = 250;
const FORMATS = ['OpenAI', 'Anthropic', 'Gemini'];

export const bars = {
  all: { title: 'Conversion, CPU per tool, the first time: mean of the three formats', unit: 'µs', limit: 150 },
  ...Object.fromEntries(FORMATS.map((format) => [format, { title: `of these, for ${format}`, unit: 'µs' }])),
};

/** Published servers whose tools are converted too, besides the generated ones. */
const PUBLISHED = [
  [inRoot('node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  [inRoot('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'), tmpdir()],
  [inRoot('node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
];

async function toolsOf(args) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

export async function measure({ rounds }) {
  const published = (await Promise.all(PUBLISHED.map(toolsOf))).flat();
  const tools = [...published, ...generatedTools(TOOLS - published.length)];
  const answers = [];
  for (let round = 0; round < rounds; round++) {
    // What the first format compiles, the next ones find: each is first in its turn.
    const order = FORMATS.map((_, i) => FORMATS[(i + round) % FORMATS.length]);
    answers.push(await runWorker('conversion', undefined, { formats: order, tools }));
  }
  return Object.fromEntries(Object.keys(bars).map((key) => [key, { app: pick(answers, key) }]));
}

/** CPU microseconds per tool in a process that has never converted one: nothing is cached, and no code compiled. */
export async function inWorker({ formats, tools }) {
  const loader = await importFromApp('main/services/capabilities/tools/mcp-users/ToolsLoader.ts');
  const result = {};
  for (const format of formats) {
    const mcpTools = asMcpTools(structuredClone(tools));
    const before = threadCpu();
    const converted = loader[`convertMcpToolsTo${format}`](mcpTools);
    result[format] = cpuSince(before) / mcpTools.length;
    const text = JSON.stringify(converted);
    for (const { id } of mcpTools) if (!text.includes(`"${id}"`)) throw new Error(`${format} lost ${id}`);
  }
  result.all = formats.reduce((sum, format) => sum + result[format], 0) / formats.length;
  return result;
}

const asMcpTools = (tools) =>
  tools.map(({ name, description = '', inputSchema }, i) => ({
    id: `mcp__bench__${name}_${i}`,
    serverId: 'bench',
    serverName: 'bench',
    name,
    description,
    inputSchema,
  }));
