import { describe, expect, it } from 'vitest';
import { parseServersJson } from './parse-servers-json.ts';

const names = (text: string) => parseServersJson(text).servers.map(({ name }) => name);

describe('parseServersJson', () => {
  const npx = { command: 'npx', args: ['-y', '@scope/server-demo'], env: { KEY: 'v' } };

  it.each([
    ['mcpServers', { mcpServers: { demo: npx } }],
    ['servers of VS Code', { servers: { demo: { type: 'stdio', ...npx } }, inputs: [] }],
    ['mcp.servers of VS Code', { mcp: { servers: { demo: npx } } }],
    ['a bare map', { demo: npx }],
    ['mcp of OpenCode', { mcp: { demo: { type: 'local', command: ['npx', ...npx.args], environment: npx.env } } }],
    [
      'command of older versions of Zed',
      { context_servers: { demo: { command: { path: 'npx', ...npx, command: undefined } } } },
    ],
    ['the beginning of a line as the command', { demo: { command: 'npx -y', args: npx.args.slice(1), env: npx.env } }],
    ['a whole line as the command', { demo: { command: 'npx -y "@scope/server-demo"', args: [], env: npx.env } }],
  ])('reads %s', (_, json) => {
    expect(parseServersJson(JSON.stringify(json))).toEqual({
      servers: [{ name: 'demo', type: 'stdio', config: npx }],
      problems: [],
    });
  });

  it('reads a single server and gives it a name', () => {
    expect(names(JSON.stringify(npx))).toEqual(['server-demo']);
    expect(names('{"url": "https://mcp.example.com/x"}')).toEqual(['mcp.example.com']);
    expect(names('{"name": "Mine", "url": "https://mcp.example.com/x"}')).toEqual(['Mine']);
  });

  it('forgives comments, trailing commas and a byte order mark, and leaves strings alone', () => {
    const text = `\uFEFF{
      // the servers
      "mcpServers": { /* one, */
        "web": { "url": "https://x.example/a,}//b", "headers": { "X": "/* no */", }, }, // last
      },
    }`;
    expect(parseServersJson(text)).toEqual({
      servers: [{ name: 'web', type: 'http', config: { url: 'https://x.example/a,}//b', headers: { X: '/* no */' } } }],
      problems: [],
    });
  });

  it.each([
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['missing outer braces', (json: string) => json.slice(1, -1)],
    ['missing outer braces and a comma', (json: string) => `${json.slice(1, -1)},\n`],
    ['a comma after it', (json: string) => `${json},`],
    ['typographic quotation marks', (json: string) => json.replaceAll(/"([^"]*)"/g, '“$1”')],
  ])('forgives %s', (_, change) => {
    for (const shape of [{ mcpServers: { demo: npx } }, { demo: npx }]) {
      expect(parseServersJson(change(JSON.stringify(shape, undefined, 2)))).toEqual({
        servers: [{ name: 'demo', type: 'stdio', config: npx }],
        problems: [],
      });
    }
  });

  it('reads variables as Claude Code writes them', () => {
    const text = `{"demo": {"command": "x", "args": ["\${A}", "\${env:B}", "\${workspaceFolder}", "$C"]}}`;
    const args = [`\${env:A}`, `\${env:B}`, `\${workspaceFolder}`, '$C'];
    expect(parseServersJson(text).servers[0]?.config.args).toEqual(args);
  });

  it.each([
    ['http', 'http'],
    ['streamable-http', 'http'],
    ['streamableHttp', 'http'],
    ['SSE', 'sse'],
  ])('knows the type %s', (type, expected) => {
    const text = JSON.stringify({ mcpServers: { web: { type, url: 'https://x.example/' } } });
    expect(parseServersJson(text).servers[0]?.type).toBe(expected);
  });

  it('turns numbers into text where text is meant', () => {
    const text =
      '{"mcpServers": {"x": {"command": "c", "args": ["--port", 80], "env": {"PORT": 80, "ON": true}, "cwd": null}}}';
    expect(parseServersJson(text).servers[0]?.config).toEqual({
      command: 'c',
      args: ['--port', '80'],
      env: { PORT: '80', ON: 'true' },
    });
  });

  it('takes the good ones and says what is wrong with the others', () => {
    const text = `{"mcpServers": {
      "good": {"command": "c"}, "GOOD": {"command": "d"}, "": {"command": "c"}, "neither": {}, "text": "c",
      "type": {"type": "carrier-pigeon", "url": "https://x.example"}, "url": {"url": "ftp://x.example"},
      "login": {"url": "https://a:b@x.example"}, "args": {"command": "c", "args": "-y x"}, "env": {"command": "c", "env": {"A": {}}},
      "header": {"url": "https://x.example", "headers": {"A": "a\\nb"}}, "name": {"command": "c", "env": {"A=B": "c"}}
    }}`;
    const { servers, problems } = parseServersJson(text);
    expect(servers.map(({ name }) => name)).toEqual(['good']);
    expect(problems.map(({ name }) => name)).toEqual([
      'GOOD',
      '',
      'neither',
      'text',
      'type',
      'url',
      'login',
      'args',
      'env',
      'header',
      'name',
    ]);
    expect(problems.find(({ name }) => name === 'type')?.reason).toContain('carrier-pigeon');
    for (const { reason } of problems) expect(reason).not.toBe('');
  });

  const config = { command: 'npx', args: ['-y', 'demo', '--dir', '/a b'], env: { A: '1', B: 'x=y' } };
  it.each<[string, unknown]>([
    ['variables that are null', { ...config, env: { A: '1', B: 'x=y', C: null } }],
    ['variables as in a file of them', { ...config, env: ['A=1', 'B=x=y'] }],
    ['variables as pairs', { ...config, env: [{ name: 'A', value: 1 }, { key: 'B', value: 'x=y' }, { name: 'C' }] }],
    ['no type, in words', { ...config, type: '' }],
    ['JSON within JSON', JSON.stringify(config)],
  ])('reads a server with %s', (_what, entry) => {
    const expected = [{ name: 'x', type: 'stdio', config }];
    expect(parseServersJson(JSON.stringify({ mcpServers: { x: entry } }))).toEqual({ servers: expected, problems: [] });
  });

  it('reads headers as they are sent, and empty lists', () => {
    const url = 'https://h.example/mcp';
    const read = (headers: unknown) =>
      parseServersJson(JSON.stringify({ x: { url: ` ${url}\n`, headers, args: '', env: [] } })).servers[0]?.config;
    expect(read(['Authorization: Bearer a:b', 'X-A:1'])).toEqual({
      url,
      headers: { Authorization: 'Bearer a:b', 'X-A': '1' },
    });
    expect(read([])).toEqual({ url, headers: {} });
    expect(read({ 'X-A': null })).toEqual({ url, headers: {} });
    expect(read(['no header'])).toBeUndefined();
  });

  it.each([
    [
      [
        { name: 'a', command: 'c' },
        { name: '__proto__', command: 'c' },
        { name: 'a', url: 'https://h.example' },
      ],
    ],
    [
      {
        mcpServers: [
          { name: 'a', command: 'c' },
          { name: '__proto__', command: 'c' },
          { name: 'a', url: 'https://h.example' },
        ],
      },
    ],
  ])('reads a list of servers', (list) => {
    const { servers, problems } = parseServersJson(JSON.stringify(list));
    expect(servers.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'stdio'],
      ['a 2', 'http'],
    ]);
    expect(problems.map(({ name }) => name)).toEqual(['__proto__']);
  });

  it('reads JSON that stands in JSON, and refuses there what it refuses elsewhere', () => {
    const inner = '{"mcpServers": {"x": {"command": "npx"}, "y": "{\\"command\\": \\"c\\", \\"__proto__\\": {}}"}}';
    const { servers, problems } = parseServersJson(JSON.stringify(inner));
    expect(servers).toEqual([{ name: 'x', type: 'stdio', config: { command: 'npx' } }]);
    expect(problems).toEqual([{ name: 'y', reason: expect.stringContaining('__proto__') }]);
  });

  it('refuses __proto__ wherever it stands', () => {
    const { servers, problems } = parseServersJson(`{"mcpServers": {
      "__proto__": {"command": "c"}, "a": {"command": "c", "env": {"__proto__": "x"}}, "b": {"command": "c", "__proto__": {}}
    }}`);
    expect(servers).toEqual([]);
    expect(problems.map(({ name }) => name)).toEqual(['__proto__', 'a', 'b']);
    expect(({} as Record<string, unknown>).command).toBeUndefined();
  });

  it.each([
    '',
    '{',
    'no command that anybody knows',
    '[]',
    '[1]',
    '"x"',
    'null',
    '7',
    '{}',
    '{"a": 1}',
    '{"mcpServers": {}}',
    '{"mcpServers": []}',
  ])('explains what it can’t read: %s', (text) => {
    const { servers, problems } = parseServersJson(text);
    expect(servers).toEqual([]);
    expect(problems.length).toBe(1);
  });
});

it.each([
  ['{\n  "a": 1\n  b', /^This isn’t valid JSON \(line 3\): /],
  ['/* one\ntwo */\n{ "a" 1 }', /^This isn’t valid JSON \(line 3\): /],
  ['{\n"a": {', /^This isn’t valid JSON \(line 2\): /],
  [String.raw`{"command": "C:\Users\x.exe"}`, /backslash has to be written twice/],
])('says of %j where it is wrong', (text, words) => {
  expect(parseServersJson(text).problems).toEqual([{ name: 'JSON', reason: expect.stringMatching(words) }]);
});
