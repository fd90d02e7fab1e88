import { describe, expect, it } from 'vitest';
import { parseServersJson } from '../parse-servers-json.ts';

const one = (text: string) => {
  const { servers, problems } = parseServersJson(text);
  expect(problems).toEqual([]);
  expect(servers.length).toBe(1);
  return servers[0]!;
};
const problem = (text: string) => {
  const { servers, problems } = parseServersJson(text);
  expect(servers).toEqual([]);
  return problems.map(({ reason }) => reason).join(' ');
};

describe('command lines', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-filesystem@2025.1 /tmp', 'server-filesystem'],
    ['npx -y --package=x @scope/tool', 'tool'],
    ['uvx mcp-server-git --repository /a', 'mcp-server-git'],
    ['uvx --from git+https://x.example/y.git serena start', 'serena'],
    ['uv run --directory /srv/app main.py', 'main'],
    ['docker run -i --rm -e KEY -v /a:/b ghcr.io/github/github-mcp-server:latest', 'github-mcp-server'],
    ['/opt/tools/server --stdio', 'server'],
    ['python -m mcp_server_time', 'mcp_server_time'],
    ['mcp-server-git --repository here', 'mcp-server-git'],
    ['server.exe --stdio', 'server'],
  ])('names what it starts: %s', (line, name) => {
    const { name: found, type, config } = one(line);
    expect({ found, type }).toEqual({ found: name, type: 'stdio' });
    expect([config.command, ...(config.args ?? [])].join(' ')).toBe(line);
  });

  it('takes prompts, comments, variables and lines that go on', () => {
    const text = `# don't forget the key\n$ API_KEY="a b" npx -y \\\n    @scope/demo \\\n    --port 80\n`;
    expect(one(text)).toEqual({
      name: 'demo',
      type: 'stdio',
      config: { command: 'npx', args: ['-y', '@scope/demo', '--port', '80'], env: { API_KEY: 'a b' } },
    });
  });

  it('takes what was set before, and what a web page puts around it', () => {
    const text = '```bash\nexport API_KEY="a b"\nnpx -y demo --header “X: y z”\n```';
    expect(one(text.replaceAll('"', "'"))).toEqual({
      name: 'demo',
      type: 'stdio',
      config: { command: 'npx', args: ['-y', 'demo', '--header', 'X: y z'], env: { API_KEY: 'a b' } },
    });
    expect(one('`npx demo`').config).toEqual({ command: 'npx', args: ['demo'] });
    expect(one(String.raw`PS C:\Users\me> npx demo`).config).toEqual({ command: 'npx', args: ['demo'] });
  });

  it('takes a program of Windows in quotation marks', () => {
    const { command, args } = one(String.raw`"C:\Program Files\node.exe" "D:\my srv\x.js"`).config;
    expect([command, args]).toEqual([String.raw`C:\Program Files\node.exe`, [String.raw`D:\my srv\x.js`]]);
  });

  it('keeps what a variable stands for to the start', () => {
    expect(one('npx demo $HOME/notes').config.args).toEqual(['demo', `\${env:HOME}/notes`]);
  });

  it('takes an address', () => {
    expect(one('https://mcp.example.com/mcp')).toMatchObject({ name: 'mcp.example.com', type: 'http' });
  });

  it('takes several, each by itself', () => {
    const { servers, problems } = parseServersJson(
      'npx a-server\nnpx b-server; touch owned\nuvx a-server\nuvx c-server',
    );
    expect(servers.map(({ name }) => name)).toEqual(['a-server', 'c-server']);
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('only a shell'),
      expect.stringContaining('same name'),
    ]);
  });

  it.each([
    ['npx demo "', 'a\n'.repeat(300_000)],
    ['npx demo', ' '.repeat(900_000)],
    ['npx demo ', '\\'.repeat(900_000)],
    ['#', ' #\n'.repeat(300_000)],
    ['A=', '"'.repeat(900_001)],
    ['C:\\x ', '%'.repeat(900_000)],
  ])('reads text made to be slow in time: %s', (start, rest) => {
    const startedAt = performance.now();
    parseServersJson(start + rest);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('keeps a line break within quotes as text of one argument', () => {
    expect(one('npx demo "a\nrm -rf /"').config.args).toEqual(['demo', 'a\nrm -rf /']);
  });

  it.each(['rm -rf /', 'hello world', 'sudo npx x', 'curl https://x.example | sh'])(
    'takes nothing else: %s',
    (text) => {
      expect(problem(text)).not.toBe('');
    },
  );
});

describe('claude mcp add', () => {
  it.each([
    ['claude mcp add demo -- npx -y pkg --env X=1', { command: 'npx', args: ['-y', 'pkg', '--env', 'X=1'] }],
    ['claude mcp add -s user -e A=1 -e B=2=3 demo -- cmd', { command: 'cmd', args: [], env: { A: '1', B: '2=3' } }],
    [
      'claude mcp add --env A=1 B=2 --scope=project demo -- cmd x',
      { command: 'cmd', args: ['x'], env: { A: '1', B: '2' } },
    ],
    ['claude mcp add -eA=1 demo -- cmd', { command: 'cmd', args: [], env: { A: '1' } }],
    ['claude mcp add demo --env A=1 -- cmd', { command: 'cmd', args: [], env: { A: '1' } }],
    ['claude mcp add demo npx @playwright/mcp@latest', { command: 'npx', args: ['@playwright/mcp@latest'] }],
    ['claude mcp add --transport stdio demo npx -y pkg', { command: 'npx', args: ['-y', 'pkg'] }],
    ['codex mcp add demo --env A=1 -- npx -y pkg', { command: 'npx', args: ['-y', 'pkg'], env: { A: '1' } }],
    [
      'gemini mcp add --timeout 5 --trust -e A=1 demo python x.py',
      { command: 'python', args: ['x.py'], env: { A: '1' } },
    ],
  ])('%s', (line, config) => {
    expect(one(line)).toEqual({ name: 'demo', type: 'stdio', config });
  });

  it.each([
    ['claude mcp add --transport http web https://x.example/mcp --header "Authorization: Bearer a b"', 'http'],
    ['claude mcp add -t sse -H "Authorization: Bearer a b" web https://x.example/mcp', 'sse'],
    ['claude mcp add --header "Authorization: Bearer a b" web https://x.example/mcp', 'http'],
  ])('%s', (line, type) => {
    const config = { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer a b' } };
    expect(one(line)).toEqual({ name: 'web', type, config });
  });

  it.each([
    [`claude mcp add -t http web https://x.example/mcp -H 'Authorization: Bearer \${KEY}'`],
    ['claude mcp add -t http web https://x.example/mcp -H "Authorization: Bearer $KEY"'],
    ['codex mcp add web --url https://x.example/mcp --bearer-token-env-var KEY'],
  ])('leaves the key in the environment: %s', (line) => {
    const headers = { Authorization: `Bearer \${env:KEY}` };
    expect(one(line)).toEqual({ name: 'web', type: 'http', config: { url: 'https://x.example/mcp', headers } });
  });

  it.each([
    `claude mcp add-json demo '{"type":"stdio","command":"npx","args":["-y","a b"],"env":{"K":"v"}}'`,
    `claude mcp add-json -s user demo "{\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"a b\\"],\\"env\\":{\\"K\\":\\"v\\"}}"`,
    `claude mcp add-json demo '{\n  "command": "npx",\n  "args": ["-y", "a b"],\n  "env": {"K": "v"}\n}'`,
    `code --add-mcp '{"name":"demo","command":"npx","args":["-y","a b"],"env":{"K":"v"}}'`,
  ])('%s', (line) => {
    expect(one(line)).toEqual({
      name: 'demo',
      type: 'stdio',
      config: { command: 'npx', args: ['-y', 'a b'], env: { K: 'v' } },
    });
  });

  it('reads paths of Windows', () => {
    const line = String.raw`claude mcp add demo --env KEY=x -- "D:\my venv\python.exe" -m srv`;
    expect(one(line).config).toMatchObject({ command: String.raw`D:\my venv\python.exe`, args: ['-m', 'srv'] });
  });

  it.each([
    ['claude mcp list', 'mcp add'],
    ['claude mcp add', 'name'],
    ['claude mcp add demo', 'name'],
    ['claude mcp add -e', 'no value'],
    ['claude mcp add -e novalue demo -- x', 'NAME=value'],
    [`claude mcp add-json demo '{'`, 'JSON'],
    [`claude mcp add-json demo '{"__proto__": {}, "command": "x"}'`, '__proto__'],
    ['claude mcp add --transport pigeon demo x', 'pigeon'],
    ['claude mcp add demo -- x; touch owned', 'only a shell'],
  ])('says what is wrong: %s', (line, words) => {
    expect(problem(line)).toContain(words);
  });
});

describe('inputs', () => {
  const json = JSON.stringify({
    inputs: [
      { type: 'promptString', id: 'key', description: 'The key', password: true, default: 'sk-default' },
      { type: 'pickString', id: 'region', description: 'Region', options: ['eu', 'us'], default: 'eu' },
      { type: 'promptString', id: 'unused' },
    ],
    servers: {
      a: {
        command: 'x',
        args: ['--region', `\${input:region}`],
        env: { KEY: `\${input:key}`, OTHER: `\${input:other}` },
      },
      b: { type: 'http', url: 'https://x.example', headers: { Authorization: `Bearer \${input:key}` } },
    },
  });

  it('names what servers leave open, and never a default of a secret', () => {
    const { inputs } = parseServersJson(json);
    expect(inputs).toEqual([
      { id: 'region', secret: false, description: 'Region', initial: 'eu', choices: ['eu', 'us'], readable: true },
      { id: 'key', secret: true, description: 'The key' },
      { id: 'other', secret: true },
    ]);
    expect(JSON.stringify(parseServersJson(json))).not.toContain('sk-default');
  });

  it(`keeps \${env:NAME} and ~ as they are`, () => {
    const config = { command: '~/bin/x', args: [`\${env:HOME}/a`], env: { K: `\${env:K}` } };
    expect(one(JSON.stringify(config)).config).toEqual(config);
  });
});
