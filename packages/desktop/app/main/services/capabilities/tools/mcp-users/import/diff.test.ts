import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { parseServersJson } from '../parse-servers-json.ts';
import { compareServer } from './diff.ts';
import { toMcpServersJson } from './export-servers.ts';
import { fillInputs } from './placeholders.ts';

const record = (draft: McpServerDraft, more: Partial<McpServerRecord> = {}): McpServerRecord => ({
  ...draft,
  id: draft.name,
  enabled: true,
  ...more,
});
const program: McpServerDraft = {
  name: 'Demo',
  type: 'stdio',
  config: { command: 'npx', args: ['x'], env: { KEY: 'sk-1' } },
};
const web: McpServerDraft = { name: 'web', type: 'http', config: { url: 'https://x.example', headers: { A: 'b' } } };
const changed = (config: McpServerDraft['config']) =>
  compareServer({ ...program, name: 'dEMO', config: { ...program.config, ...config } }, [record(program)]);

describe('compareServer', () => {
  it('knows new ones, the same ones, and the same under another name', () => {
    expect(compareServer(program, [record(web)])).toEqual({ status: 'new', changes: [] });
    expect(compareServer(program, [record(program)])).toMatchObject({ status: 'same' });
    expect(compareServer(program, [record({ ...program, name: 'other' })])).toMatchObject({
      status: 'same',
      existing: { name: 'other' },
    });
    const both = [record({ ...program, config: { command: 'sh' } }), record({ ...program, name: 'Demo (2)' })];
    expect(compareServer(program, both)).toMatchObject({ status: 'same', existing: { name: 'Demo (2)' } });
  });

  it('names what changed, and never a value', () => {
    expect(changed({ command: 'sh', args: ['x', 'y'], cwd: '/a' }).changes).toEqual(['command', 'args', 'cwd']);
    expect(changed({ env: { KEY: 'sk-2' } })).toMatchObject({ status: 'changed', changes: ['env:KEY'] });
    expect(changed({ env: { OTHER: 'sk-1' } }).changes).toEqual(['env:KEY', 'env:OTHER']);
    expect(compareServer({ ...web, config: { url: 'https://y.example' } }, [record(web)]).changes).toEqual([
      'url',
      'header:A',
    ]);
    expect(compareServer({ ...web, name: 'demo' }, [record(program)]).changes).toEqual(['type']);
  });

  it('takes an empty list for none, and leaves servers of the app alone', () => {
    expect(
      compareServer({ ...web, config: { url: 'https://x.example', headers: {} } }, [
        record({ ...web, config: { url: 'https://x.example' } }),
      ]).status,
    ).toBe('same');
    expect(compareServer(program, [record(program, { builtin: 'files' })]).status).toBe('new');
  });

  it('counts a value that is left open as the same', () => {
    expect(changed({ env: { KEY: `\${input:key}` } }).status).toBe('same');
  });
});

describe('toMcpServersJson', () => {
  const servers = [record(program), record(web), record({ name: 'bare', type: 'stdio', config: { command: 'x' } })];

  it('gives back with secrets what was there', () => {
    const text = toMcpServersJson(servers, { secrets: true });
    expect(text).toContain('sk-1');
    const { servers: read, problems } = parseServersJson(text);
    expect(problems).toEqual([]);
    for (const [index, draft] of read.entries()) expect(compareServer(draft, [servers[index]!]).status).toBe('same');
    expect(read.length).toBe(3);
  });

  it('leaves values open without them, and asks for each when it is read again', () => {
    const twins = [record(program), record({ ...program, name: 'Demo?' }), record({ ...program, name: 'Demo!' })];
    const text = toMcpServersJson(twins, { secrets: false });
    expect(text).not.toContain('sk-1');
    const { servers: read, inputs = [] } = parseServersJson(text);
    expect(new Set(inputs.map(({ id }) => id)).size).toBe(3);
    expect(inputs[0]).toMatchObject({ secret: true, description: 'KEY of Demo' });
    expect(fillInputs(read[0]!, { [inputs[0]!.id]: 'sk-3' }).config.env).toEqual({ KEY: 'sk-3' });
  });

  it('leaves open what looks like a secret in arguments and addresses, and nothing else', () => {
    const args = [
      '--api-key',
      'sk-live-1',
      '--token=sk-live-2',
      'stdio',
      'KEY=sk-live-3',
      '--header',
      'Authorization: Bearer sk-live-4',
    ];
    const url = 'https://ann:sk-live-5@example.com/mcp?team=a&access_token=sk-live-6';
    const text = toMcpServersJson(
      [
        record({
          name: 'Tool',
          type: 'stdio',
          config: { command: 'x', args: [...args, 'https://x.dev/?key=sk-live-7'] },
        }),
        record({ name: 'Web', type: 'http', config: { url } }),
      ],
      { secrets: false },
    );
    expect(text).not.toContain('sk-live');
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { args?: string[]; url?: string }> };
    expect(mcpServers.Tool?.args).toEqual([
      '--api-key',
      `\${input:Tool-api-key}`,
      `--token=\${input:Tool-token}`,
      'stdio',
      `KEY=\${input:Tool-KEY}`,
      '--header',
      `Authorization: Bearer \${input:Tool-argument}`,
      `https://x.dev/?key=\${input:Tool-argument-4}`,
    ]);
    expect(mcpServers.Web?.url).toBe(
      `https://\${input:Web-URL}@example.com/mcp?team=a&access_token=\${input:Web-URL-6}`,
    );
    const { servers: read, problems } = parseServersJson(text);
    expect([problems, read.map(({ name }) => name)]).toEqual([[], ['Tool', 'Web']]);
  });
});
