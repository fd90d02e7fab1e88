import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newToken, pidsWith } from '../../../../../platform/process/__fixtures__/find-processes.ts';
import {
  makePool,
  notesFile,
  oddServer,
  QUICK_RETRIES,
  stateOf,
  until,
} from '../../../../capabilities/tools/mcp-users/__fixtures__/pool.ts';
import type { McpServiceOptions } from '../../../../capabilities/tools/mcp-users/McpService.ts';
import { createConnectMcpTool } from './connect-mcp.ts';

const MEMORY: McpServerConfig = {
  command: process.execPath,
  args: [
    fileURLToPath(
      new URL(
        '../../../../../../../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js',
        import.meta.url,
      ),
    ),
  ],
};

function setUp(options: Partial<McpServiceOptions> = {}) {
  const pool = makePool(options);
  const add = async (name: string, config: McpServerConfig, enabled = false) =>
    (await pool.service.add({ name, type: config.url ? 'http' : 'stdio', config }, { enabled })).id;
  return { ...pool, add, tool: createConnectMcpTool({ mcp: pool.service }) };
}

describe('connect_mcp', () => {
  it('asks before it runs, and touches nothing that the firewall knows', () => {
    const { tool } = setUp();
    expect(tool).toMatchObject({ name: 'connect_mcp', risk: 'asks' });
    expect(tool.access?.({ name: 'memory' })).toEqual({});
    expect(tool.origin).toBeUndefined();
  });

  it('connects a configured server that is off, regardless of case, and reports its tools by wire name', async () => {
    const { service, add, tool } = setUp();
    const id = await add('Memory', MEMORY);
    const result = await tool.execute({ name: ' mEMORY ' });
    const tools = await service.listServerTools(id);
    expect(result).toBe(`Connected “Memory”: ${tools.length} tools.${tools.map((one) => `\n- ${one.id}`).join('')}`);
    expect(result).toContain('\n- mcp__Memory__read_graph');
    expect(stateOf(service, id)).toMatchObject({ status: 'ready' });
    expect((await service.listAllActiveServerTools()).length).toBe(tools.length);
    expect(await tool.execute({ name: 'memory' })).toBe(`“Memory” is already connected, with ${tools.length} tools.`);
  });

  it('counts and names only the tools that are switched on', async () => {
    const { service, add, tool } = setUp();
    const id = await add('odd', oddServer('many=2'));
    await service.setToolEnabled(id, 'tool_0', false);
    expect(await tool.execute({ name: 'odd' })).toBe('Connected “odd”: 1 tool.\n- mcp__odd__tool_1');
    expect(await tool.execute({ name: 'odd' })).toBe('“odd” is already connected, with 1 tool.');
  });

  it.each([['nobody'], [''], [undefined], [7]])('lists the names that are allowed for %j', async (name) => {
    const { service, add, tool } = setUp();
    expect(await tool.execute({ name })).toMatch(/^Error: There is no MCP server to connect\./);
    await service.importServers([{ name: 'imported', type: 'stdio', config: MEMORY }]);
    expect(await tool.execute({ name })).toMatch(/^Error: There is no MCP server to connect\./);
    await add('memory', MEMORY);
    await add('odd', oddServer());
    expect(await tool.execute({ name })).toMatch(/^Error: .+ These can be connected:\n- memory\n- odd$/);
  });

  it('waits for one that is connecting already', async () => {
    const { add, tool } = setUp();
    await add('slow', oddServer('slow-start=500'), true);
    expect(await tool.execute({ name: 'slow' })).toMatch(/^Connected “slow”: \d+ tools\.\n/);
  });

  it('never starts a program that nobody has agreed to, and says who can', async () => {
    const { service, tool } = setUp();
    const token = newToken();
    const { file } = notesFile();
    const script = `require('node:fs').writeFileSync(${JSON.stringify(`${file}.started`)}, '')`;
    const config = { command: process.execPath, args: ['-e', script, token] };
    await service.importServers([{ name: 'imported', type: 'stdio', config }]);
    expect(await tool.execute({ name: 'imported' })).toMatch(/^Error: .*not agreed to.*in the settings/);
    expect(service.listServers()[0]).toMatchObject({
      server: { enabled: false, consented: false },
      state: { status: 'off' },
    });
    expect(pidsWith(token)).toEqual([]);
    expect(existsSync(`${file}.started`)).toBe(false);
  });

  it('says that the person has to sign in', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end('who are you'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { add, tool } = setUp();
    await add('web', { url: `http://127.0.0.1:${port}/mcp` });
    const wanted = /^Error: “web” wants the user to sign in\. .*in the settings.*HTTP 401/;
    expect(await tool.execute({ name: 'web' })).toMatch(wanted);
    expect(await tool.execute({ name: 'web' })).toMatch(wanted);
  });

  it('says why a server can’t be connected', async () => {
    const { add, tool } = setUp();
    await add('gone', { command: 'no-such-program-of-tinyelf' });
    const result = await tool.execute({ name: 'gone' });
    expect(result).toMatch(/^Error: .*no-such-program-of-tinyelf/);
    expect(result).toContain('Install the program, or give its full path.');
  });

  it('tries one anew that had failed', async () => {
    // By itself the pool would try again only in ten minutes.
    const { service, add, tool } = setUp({ retryTimes: { ...QUICK_RETRIES, firstMs: 600_000, longestMs: 600_000 } });
    const { file } = notesFile();
    const { command = '', args = [] } = oddServer();
    const config = { command: 'sh', args: ['-c', 'test -e "$0.fixed" && exec "$@"', file, command, ...args] };
    const id = await add('odd', config, true);
    await until(() => stateOf(service, id).status === 'waiting-to-retry', 'it fails');
    writeFileSync(`${file}.fixed`, '');
    expect(await tool.execute({ name: 'odd' })).toMatch(/^Connected “odd”/);
  });

  it('ends with the run', async () => {
    const { add, tool } = setUp();
    const notes = notesFile();
    await add('slow', oddServer('silent-start', `notes=${notes.file}`));
    const run = new AbortController();
    const connecting = tool.execute({ name: 'slow' }, { signal: run.signal });
    await until(() => notes.lines().includes('probe'), 'it is being started');
    run.abort(new Error('stopped'));
    await expect(connecting).rejects.toThrow('stopped');
    await expect(tool.execute({ name: 'slow' }, { signal: run.signal })).rejects.toThrow('stopped');
  });
});
