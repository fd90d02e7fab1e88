import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../ports/model.ts';
import { createDemoModel } from './demo-model.ts';
import { toolNamed } from './test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
const token = `token-${Math.random().toString(36).slice(2)}`;
const clients = new Map<string, Client>();

function serverScript(name: string): string {
  const root = dirname(fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/package.json`)));
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(root, Object.values(bin)[0]!);
}

beforeAll(async () => {
  writeFileSync(join(folder, 'welcome.md'), `# Hello\n${token}\n`);
  const servers: [string, string, string[]][] = [
    ['files', 'server-filesystem', [folder]],
    ['everything', 'server-everything', ['stdio']],
  ];
  for (const [name, packageName, args] of servers) {
    const client = new Client({ name: 'demo-test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [serverScript(packageName), ...args],
      stderr: 'ignore',
    });
    await client.connect(transport);
    clients.set(name, client);
  }
});

afterAll(async () => {
  for (const client of clients.values()) await client.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A turn as the app runs it: request, calls at the servers, results back, until the model stops. */
async function converse(question: string): Promise<string> {
  const model = createDemoModel({ delayMs: 0 });
  const messages: ModelMessage[] = [{ role: 'user', text: question }];
  const tools = [];
  for (const [server, client] of clients) {
    for (const { name, description = '', inputSchema } of (await client.listTools()).tools) {
      tools.push(toolNamed(`mcp__${server}__${name}`, description, inputSchema.properties, inputSchema.required));
    }
  }
  for (let round = 0; round < 5; round++) {
    let text = '';
    const calls: { callId: string; name: string; args: Record<string, unknown> }[] = [];
    for await (const part of model.stream({ modelId: 'demo', messages, tools, signal: new AbortController().signal })) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'tool-call-end')
        calls.push({ callId: part.callId, name: part.name, args: JSON.parse(part.argsText) });
    }
    if (calls.length === 0) return text;
    messages.push({ role: 'assistant', content: calls.map((call) => ({ type: 'tool-call', ...call })) });
    const results = [];
    for (const { callId, name, args } of calls) {
      const [, server = '', tool = ''] = name.split('__');
      const answer = await clients.get(server)!.callTool({ name: tool, arguments: args });
      const blocks = answer.content as { type: string; text?: string }[];
      const resultText = blocks.map((block) => block.text ?? `[${block.type}]`).join('\n');
      results.push({ callId, name, isError: answer.isError === true, text: resultText });
    }
    messages.push({ role: 'tool', results });
  }
  throw new Error('It did not stop.');
}

describe('the demo model with published servers', () => {
  it.each([
    ['read welcome.md', () => token],
    ['list the files', () => '[FILE] welcome.md'],
    ['find all md files', () => 'welcome.md'],
    ['read missing.md', () => 'gave no result'],
    ['read /etc/hostname.txt', () => 'Access denied'],
    ['add 2 and 3', () => '5'],
    ['echo hello there', () => 'hello there'],
  ])('%s', async (question, expected) => {
    expect(await converse(question)).toContain(expected());
  });

  it('writes what it was told, and reads it back', async () => {
    await converse(`write "remember ${token}" to note.txt`);
    expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe(`remember ${token}`);
    expect(await converse('read note.txt and welcome.md')).toMatch(/remember[\s\S]*# Hello/);
  });
});
