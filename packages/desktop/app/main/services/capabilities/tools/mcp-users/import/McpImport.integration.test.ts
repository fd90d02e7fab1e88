import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../../ports/errors.ts';
import type { SecretBox } from '../../../../ports/infrastructure.ts';
import { makePool, testSecrets } from '../__fixtures__/pool.ts';
import { McpImport } from './McpImport.ts';
import { MAX_BYTES } from './read-file.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-import-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const write = (file: string, content: unknown) => {
  const full = path.join(home, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return full;
};

function setUp(secrets: SecretBox = testSecrets) {
  const { service, store } = makePool({ secrets });
  const saved: string[] = [];
  const places = {
    saveFile: async (name: string, text: string) => {
      saved.push(text);
      return `/chosen/${name}`;
    },
    copyText: async (text: string) => void saved.push(text),
  };
  const mcpImport = new McpImport(service, { platform: 'linux', home, env: {} }, places);
  return { service, store, mcpImport, saved };
}

type Scan = Awaited<ReturnType<McpImport['scan']>>;
const named = ({ sources }: Scan, name: string) => {
  const found = sources.flatMap(({ servers }) => servers).find((server) => server.name === name);
  if (!found) throw new Error(`no ${name} in ${JSON.stringify(sources)}`);
  return found;
};
const pick = (scan: Scan, name: string, more: { replace?: boolean; inputs?: Record<string, string> } = {}) => ({
  key: named(scan, name).key,
  replace: false,
  inputs: {},
  ...more,
});

const NOBODY = 65_534;

/** Root may read any file, so it steps down meanwhile. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  chmodSync(home, 0o755);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const DESKTOP = '.config/Claude/claude_desktop_config.json';
const github = { command: 'npx', args: ['-y', 'github-server'], env: { TOKEN: 'ghp_secret' } };

describe('finding servers of other programs', () => {
  it('reads each program’s files, projects and workspaces included', async () => {
    const project = path.join(home, 'src/my project');
    write(DESKTOP, { mcpServers: { github }, globalShortcut: '' });
    write('.claude.json', {
      numStartups: 3,
      mcpServers: { user: { type: 'stdio', command: 'uvx', args: ['a'] } },
      projects: {
        'not/absolute': {},
        '//far/away': {},
        [project]: { allowedTools: [], mcpServers: { local: { type: 'http', url: 'https://x.example/mcp' } } },
      },
    });
    write('src/my project/.mcp.json', {
      mcpServers: { shared: { command: 'node', args: ['./server.js', `\${X}`, `\${Y:-z}`, '$Z', `\${pick:a}`] } },
    });
    write('.cursor/mcp.json', { mcpServers: { cursor: { url: 'https://c.example/mcp', headers: { A: 'secret-b' } } } });
    write(
      '.config/Code/User/mcp.json',
      `{ // mine\n "servers": {"code": {"type": "stdio", "command": "\${userHome}/x"},}, "inputs": []}`,
    );
    write('.config/Code/User/settings.json', { 'editor.fontSize': 12, mcp: { servers: { old: { command: 'y' } } } });
    write('.config/Code/User/workspaceStorage/abc/workspace.json', {
      folder: pathToFileURL(path.join(home, 'ws')).href,
    });
    write('.config/Code/User/workspaceStorage/far/workspace.json', { folder: 'vscode-remote://ssh/x' });
    write('ws/.vscode/mcp.json', { servers: { ws: { command: 'z', args: [`\${workspaceFolder}/a`] } } });
    write('.codeium/windsurf/mcp_config.json', { mcpServers: { surf: { serverUrl: 'https://w.example/mcp' } } });
    write('.gemini/settings.json', {
      theme: 'x',
      mcpServers: { gem: { command: 'g', args: ['$A', `\${B}/x`], trust: true } },
    });
    write('.lmstudio/mcp.json', { mcpServers: { lms: { command: 'lms', env: { X: `\${env:X}` } } } });

    const scan = await setUp().mcpImport.scan();
    expect(
      scan.sources.map(({ program, project: at, servers }) => [
        program,
        at && path.basename(at),
        servers.map(({ name }) => name),
      ]),
    ).toEqual([
      ['Claude Desktop', undefined, ['github']],
      ['Claude Code', undefined, ['user']],
      ['Claude Code', 'my project', ['local']],
      ['Cursor', undefined, ['cursor']],
      ['VS Code', undefined, ['code']],
      ['VS Code', undefined, ['old']],
      ['Windsurf', undefined, ['surf']],
      ['Gemini CLI', undefined, ['gem']],
      ['LM Studio', undefined, ['lms']],
      ['Claude Code', 'my project', ['shared']],
      ['VS Code', 'ws', ['ws']],
    ]);
    expect(named(scan, 'shared').config).toMatchObject({
      cwd: project,
      args: ['./server.js', `\${env:X}`, `\${env:Y:-z}`, '$Z', `\${pick:a}`],
    });
    expect(named(scan, 'shared').unknownPlaceholders).toEqual([`\${pick:a}`]);
    expect(named(scan, 'ws').config.args).toEqual([path.join(home, 'ws', 'a')]);
    expect(named(scan, 'code').config.command).toBe(path.join(home, 'x'));
    expect(named(scan, 'gem').config.args).toEqual([`\${env:A}`, `\${env:B}/x`]);
    expect(named(scan, 'gem').notes).toEqual(['approvals']);
    expect(named(scan, 'lms').unknownPlaceholders).toEqual([]);
    // Names only: no value leaves main.
    expect(JSON.stringify(scan)).not.toMatch(/ghp_secret|secret-b/);
    expect(named(scan, 'github').config.envNames).toEqual(['TOKEN']);
  });

  it('finds nothing where there is nothing, and says where it looked', async () => {
    const { sources, programs } = await setUp().mcpImport.scan();
    expect(sources).toEqual([]);
    expect(programs).toContain('LM Studio');
  });

  it('reports each file that can’t be read, and reads the others', async () => {
    write(DESKTOP, '{"mcpServers": {"x": {"command": "c", "env": {"K": "sk-in-broken-file"');
    write('.claude.json', '');
    mkdirSync(path.join(home, '.cursor'));
    symlinkSync(path.join(home, 'nowhere'), path.join(home, '.cursor/mcp.json'));
    const huge = write('.config/Code/User/mcp.json', '');
    writeFileSync(huge, Buffer.alloc(MAX_BYTES + 1, ' '));
    mkdirSync(path.join(home, '.codeium/windsurf/mcp_config.json'), { recursive: true });
    mkdirSync(path.join(home, '.gemini'));
    symlinkSync('settings.json', path.join(home, '.gemini/settings.json'));
    write('.lmstudio/mcp.json', `\uFEFF${JSON.stringify({ mcpServers: { bom: { command: 'x' } } })}`);
    const real = write(
      'dotfiles/mcp.json',
      Buffer.from(`\uFEFF${JSON.stringify({ mcpServers: { linked: { command: 'x' } } })}`, 'utf16le'),
    );
    mkdirSync(path.join(home, '.cache/lm-studio'), { recursive: true });
    symlinkSync(real, path.join(home, '.cache/lm-studio/mcp.json'));

    const scan = await setUp().mcpImport.scan();
    const errors = Object.fromEntries(scan.sources.map(({ program, error }) => [program, error]));
    expect(errors).toMatchObject({
      'Claude Desktop': expect.stringContaining('not valid JSON'),
      'Claude Code': expect.stringContaining('empty'),
      Cursor: expect.stringContaining('link'),
      'VS Code': expect.stringContaining('16 MiB'),
      Windsurf: expect.stringContaining('not a file'),
      'Gemini CLI': expect.stringContaining('back to itself'),
    });
    expect(JSON.stringify(scan)).not.toContain('sk-in-broken-file');
    expect(named(scan, 'bom').status).toBe('new');
    expect(named(scan, 'linked').status).toBe('new');
  });

  it('reports a file that may not be read', async () => {
    chmodSync(write(DESKTOP, { mcpServers: { github } }), 0);
    const { mcpImport } = setUp();
    const { sources } = await asNobody(() => mcpImport.scan());
    expect(sources[0]?.error).toContain('not allowed');
  });

  it('takes no harm from hostile entries', async () => {
    const nested = '['.repeat(20_000) + ']'.repeat(20_000);
    write(
      DESKTOP,
      `{"mcpServers": {
        "__proto__": {"command": "c"}, "a": {"command": "c", "env": {"__proto__": "x"}},
        "auto": {"command": "sh", "args": ["-c", "touch owned\\nrm -rf ~"], "autoStart": true, "alwaysAllow": ["*"], "enabled": true},
        "Twin": {"command": "c"}, "twin": {"command": "d"},
        "${'n'.repeat(500)}": {"command": "c"}, "list": [], "none": null, "nul": {"command": "a\\u0000b"},
        "deep": {"command": "c", "x": ${nested}}
      }, "approvals": {"mode": "never"}, "settings": {"toolApproval": false}}`,
    );
    const { mcpImport, service, store } = setUp();
    const scan = await mcpImport.scan();
    expect(scan.sources[0]?.servers.map(({ name }) => name)).toEqual(['auto', 'Twin']);
    expect(scan.sources[0]?.problems.length).toBe(8);
    expect(named(scan, 'auto').notes).toEqual(['approvals']);
    await mcpImport.apply(scan.scanId, [pick(scan, 'auto')]);
    expect(service.listServers().map(({ server, state }) => [server.enabled, server.consented, state.status])).toEqual([
      [false, false, 'off'],
    ]);
    await expect(service.setEnabled(service.listServers()[0]!.server.id, true)).rejects.toMatchObject({
      code: 'no-consent',
    });
    expect(store.text()).not.toMatch(/approv|alwaysAllow|autoStart/i);
    expect(({} as Record<string, unknown>).command).toBeUndefined();
  });

  it('reads a thousand servers, and text made to be slow, in time', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`server ${n}`, { command: 'x', args: [String(n)] }]),
    );
    write(DESKTOP, { mcpServers: many });
    write('.cursor/mcp.json', `{"mcpServers": {}, ${'/*'.repeat(500_000)}`);
    write('.lmstudio/mcp.json', `[${', '.repeat(500_000)}`);
    const startedAt = performance.now();
    const { sources } = await setUp().mcpImport.scan();
    expect(sources[0]?.servers.length).toBe(1000);
    expect(sources.length).toBe(3);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});

describe('taking servers over', () => {
  it('seals secrets, and leaves the other program’s file as it was', async () => {
    const file = write(DESKTOP, { mcpServers: { github } });
    const before = readFileSync(file, 'utf8');
    const { mcpImport, service, store } = setUp();
    const scan = await mcpImport.scan();
    const { outcomes } = await mcpImport.apply(scan.scanId, [pick(scan, 'github')]);
    expect(outcomes).toMatchObject([{ name: 'github', outcome: 'added' }]);
    expect(store.text()).not.toContain('ghp_secret');
    expect((await service.openServer(service.listServers()[0]!.server.id)).config).toMatchObject(github);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(named(await mcpImport.scan(), 'github').status).toBe('same');
  });

  it('adds what was shown, even when the file has changed since', async () => {
    write(DESKTOP, { mcpServers: { github } });
    const { mcpImport, service } = setUp();
    const scan = await mcpImport.scan();
    write(DESKTOP, { mcpServers: { github: { command: 'evil' } } });
    await mcpImport.apply(scan.scanId, [pick(scan, 'github')]);
    expect(service.listServers()[0]?.server.config.command).toBe('npx');
  });

  it('shows what changed, replaces only when told to, and takes it back', async () => {
    write(DESKTOP, { mcpServers: { GitHub: { ...github, args: ['other'], env: { TOKEN: 'ghp_new' } } } });
    const { mcpImport, service } = setUp();
    const { id } = await service.add({ name: 'github', type: 'stdio', config: github }, { enabled: false });
    const scan = await mcpImport.scan();
    expect(named(scan, 'GitHub')).toMatchObject({
      status: 'changed',
      existing: { id },
      changes: ['args', 'env:TOKEN'],
    });

    const replaced = await mcpImport.apply(scan.scanId, [pick(scan, 'GitHub', { replace: true })]);
    expect(replaced.outcomes).toMatchObject([{ outcome: 'replaced' }]);
    expect(service.listServers()).toMatchObject([{ server: { id, name: 'GitHub', enabled: false, consented: false } }]);
    expect((await service.openServer(id)).config.env).toEqual({ TOKEN: 'ghp_new' });

    expect(await mcpImport.undo(replaced.undoId!)).toEqual({ undone: 1, kept: 0 });
    expect(service.listServers()).toMatchObject([{ server: { id, name: 'github', consented: true } }]);
    expect((await service.openServer(id)).config.env).toEqual({ TOKEN: 'ghp_secret' });
    await expect(mcpImport.undo(replaced.undoId!)).rejects.toMatchObject({ code: 'scan-gone' });

    const again = await mcpImport.scan();
    await mcpImport.apply(again.scanId, [pick(again, 'GitHub')]);
    expect(service.listServers().map(({ server }) => server.name)).toEqual(['github', 'GitHub (2)']);
  });

  it('keeps in an undo what was changed since', async () => {
    write(DESKTOP, { mcpServers: { github, other: { command: 'x' } } });
    const { mcpImport, service } = setUp();
    const scan = await mcpImport.scan();
    const { undoId } = await mcpImport.apply(scan.scanId, [pick(scan, 'github'), pick(scan, 'other')]);
    const [first] = service.listServers();
    await service.update(first!.server.id, { name: 'mine', type: 'stdio', config: { command: 'y' } });
    expect(await mcpImport.undo(undoId!)).toEqual({ undone: 1, kept: 1 });
    expect(service.listServers().map(({ server }) => server.name)).toEqual(['mine']);
  });

  it('adds the same server of two programs once', async () => {
    write(DESKTOP, { mcpServers: { github } });
    write('.cursor/mcp.json', { mcpServers: { github } });
    const { mcpImport, service } = setUp();
    const scan = await mcpImport.scan();
    const keys = scan.sources.flatMap(({ servers }) => servers.map(({ key }) => ({ key, replace: false, inputs: {} })));
    const { outcomes } = await mcpImport.apply(scan.scanId, keys);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['added', 'same']);
    expect(service.listServers().length).toBe(1);
  });

  it('asks for inputs, and refuses without them', async () => {
    write('.config/Code/User/mcp.json', {
      inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }],
      servers: {
        code: { command: 'x', env: { KEY: `\${input:key}` } },
        place: { type: 'http', url: `\${input:place}` },
      },
    });
    const { mcpImport, service, store } = setUp();
    const scan = await mcpImport.scan();
    expect(named(scan, 'code').inputs).toEqual([{ id: 'key', description: 'Key', secret: true }]);
    const refused = await mcpImport.apply(scan.scanId, [pick(scan, 'code')]);
    expect(refused.outcomes).toMatchObject([{ outcome: 'failed', error: { code: 'invalid-input' } }]);
    await mcpImport.apply(scan.scanId, [pick(scan, 'code', { inputs: { key: 'sk-entered' } })]);
    expect((await service.openServer(service.listServers()[0]!.server.id)).config.env).toEqual({ KEY: 'sk-entered' });
    expect(store.text()).not.toContain('sk-entered');

    const bad = await mcpImport.apply(scan.scanId, [pick(scan, 'place', { inputs: { place: 'nowhere' } })]);
    expect(bad.outcomes).toMatchObject([{ outcome: 'failed', error: { code: 'invalid-config' } }]);
    const good = await mcpImport.apply(scan.scanId, [pick(scan, 'place', { inputs: { place: 'https://x.example' } })]);
    expect(good.outcomes).toMatchObject([{ outcome: 'added' }]);
  });

  it('goes on where it stopped when the person has to choose about secrets first', async () => {
    let chosen = false;
    const seal = vi.fn(async (plain: string) => {
      if (!chosen) throw new AppError('weak-secrets', 'Choose first.');
      return testSecrets.seal(plain);
    });
    write(DESKTOP, { mcpServers: { plain: { command: 'x' }, github } });
    const { mcpImport, service } = setUp({ ...testSecrets, seal });
    const scan = await mcpImport.scan();
    const picks = [pick(scan, 'plain'), pick(scan, 'github')];
    await expect(mcpImport.apply(scan.scanId, picks)).rejects.toMatchObject({ code: 'weak-secrets' });
    chosen = true;
    const { outcomes, undoId } = await mcpImport.apply(scan.scanId, picks);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
    expect(await mcpImport.undo(undoId!)).toEqual({ undone: 2, kept: 0 });
    expect(service.listServers()).toEqual([]);
  });

  it('refuses a list that is out of date', async () => {
    write(DESKTOP, { mcpServers: { github } });
    const { mcpImport } = setUp();
    const scan = await mcpImport.scan();
    await mcpImport.scan();
    await expect(mcpImport.apply(scan.scanId, [pick(scan, 'github')])).rejects.toMatchObject({ code: 'scan-gone' });
  });
});

describe('exporting', () => {
  it('gives secrets only when told to', async () => {
    const { mcpImport, service, saved } = setUp();
    await service.addBuiltin('files', 'files');
    await service.add({ name: 'github', type: 'stdio', config: github }, { enabled: false });
    expect(await mcpImport.exportServers({ secrets: false, to: 'clipboard' })).toEqual({ count: 1, path: null });
    expect(await mcpImport.exportServers({ secrets: true, to: 'file' })).toEqual({
      count: 1,
      path: '/chosen/mcp-servers.json',
    });
    expect(saved[0]).not.toContain('ghp_secret');
    expect(JSON.parse(saved[1]!)).toEqual({ mcpServers: { github } });
  });
});
