import { tmpdir } from 'node:os';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { inRoot } from '../../lib/paths.mjs';
import { importFromApp } from '../lib/app-modules.mjs';
import { runWorker } from '../lib/workers.mjs';
import { generatedTools } from '../server/tools.mjs';

const TOOLS = 250;
const FORMATS = ['OpenAI', 'Anthropic', 'Gemini'];

const bar = { unit: 'µs', limit: 150 };
export const bars = Object.fromEntries(
  FORMATS.map((format) => [format, { ...bar, title: `Conversion for ${format}, per tool, the first time` }]),
);

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
  const samples = Object.fromEntries(FORMATS.map((format) => [format, { app: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const format of FORMATS) {
      samples[format].app.push(await runWorker('conversion', undefined, { format, tools }));
    }
  }
  return samples;
}

/** Microseconds per tool in a process that has never converted one: neither is anything cached nor the code compiled. */
export async function inWorker({ format, tools }) {
  const loader = await importFromApp('main/services/capabilities/tools/mcp-users/ToolsLoader.ts');
  const convert = loader[`convertMcpToolsTo${format}`];
  const mcpTools = tools.map(({ name, description = '', inputSchema }, i) => ({
    id: `mcp__bench__${name}_${i}`,
    serverId: 'bench',
    serverName: 'bench',
    name,
    description,
    inputSchema,
  }));
  const start = performance.now();
  const converted = convert(mcpTools);
  const ms = performance.now() - start;
  const text = JSON.stringify(converted);
  for (const { id } of mcpTools) if (!text.includes(`"${id}"`)) throw new Error(`${format} lost ${id}`);
  return (ms * 1000) / mcpTools.length;
}
