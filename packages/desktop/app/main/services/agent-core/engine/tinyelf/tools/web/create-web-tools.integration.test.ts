import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWebTools, type WebToolsOptions } from './create-web-tools.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handler: Handler): Promise<{ port: number; base: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
    asked.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, base: `http://127.0.0.1:${port}`, asked };
}

const LOCAL: ReadonlySet<string> = new Set(['127.0.0.1']);
const fetchTool = (options: WebToolsOptions = { allowedHosts: LOCAL, limitMs: 60_000 }) => createWebTools(options)[0]!;
const get = (url: string, more: Record<string, unknown> = {}, options?: WebToolsOptions) =>
  fetchTool(options).execute({ url, ...more });

const sends =
  (type: string | undefined, body: string | Buffer, headers: Record<string, string> = {}, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, { ...(type !== undefined && { 'content-type': type }), ...headers }).end(body);
  };

describe('WebFetch: what it returns', { timeout: 60_000 }, () => {
  it('a page as Markdown, with no cookies and no referrer sent', async () => {
    const { base, asked } = await serve(
      sends('text/html; charset=utf-8', '<title>T</title><h1>Hi</h1><p>a <a href="/b">b</a></p>'),
    );
    expect(await get(`${base}/x`)).toBe(`${base}/x\nTitle: T\n\n## Hi\n\na [b](${base}/b)`);
    expect(asked[0]?.headers).not.toHaveProperty('cookie');
    expect(asked[0]?.headers).not.toHaveProperty('referer');
  });

  it('a title on one line, and cut when it is long', async () => {
    const { base } = await serve(sends('text/html', `<title>a\n\nb${'c'.repeat(5000)}</title><p>x`));
    expect(await get(base)).toBe(`${base}/\nTitle: a b${'c'.repeat(297)}\n\nx`);
  });

  it('JSON and text as they are, whatever the spelling of the type', async () => {
    const json = await serve(sends('Application/Problem+JSON', '{"a":  1}'));
    expect(await get(json.base)).toBe(`${json.base}/\n\n{"a":  1}`);
    const text = await serve(sends('text/plain; charset="iso-8859-1"', Buffer.from([0xe9])));
    expect(await get(text.base)).toBe(`${text.base}/\n\né`);
  });

  it('a page in the charset that it names itself, and nothing for a made-up one', async () => {
    const page = Buffer.from('<meta charset="windows-1252"><p>caf\xe9</p>', 'latin1');
    const { base } = await serve(sends('text/html; charset=nonsense', page));
    expect(await get(base)).toContain('café');
  });

  it('parts of a long text', async () => {
    const { base } = await serve(sends('text/plain', 'abcdefghij'));
    expect(await get(base, { max_characters: 4 })).toContain(
      'Characters 0 to 4 of 10; to read on, call again with start 4.\n\nabcd',
    );
    expect(await get(base, { start: 8, max_characters: 4 })).toBe(`${base}/\n\nij`);
    expect(await get(base, { start: 99 })).toContain('There is nothing at 99: it has 10 characters.');
  });

  it('parts that the engine leaves whole, whatever the characters', async () => {
    const text = '日'.repeat(30_000);
    const { base } = await serve(sends('text/plain; charset=utf-8', text));
    const first = await get(base, { max_characters: 45_000 });
    expect(Buffer.byteLength(first)).toBeLessThan(50 * 1024);
    expect(first).toContain('Characters 0 to 16384 of 30000; to read on, call again with start 16384.');
    const rest = await get(base, { start: 16_384, max_characters: 45_000 });
    expect(first.slice(-16_384) + rest.slice(-13_616)).toBe(text);
  });

  it('the body of an error, as an error', async () => {
    const { base } = await serve(sends('text/plain', 'no such page', {}, 404));
    expect(await get(base)).toBe(`Error: The server answered 404.\n${base}/\n\nno such page`);
  });

  it('that there is nothing', async () => {
    const { base } = await serve((_, response) => response.writeHead(204).end());
    expect(await get(base)).toBe(`${base}/\n\n(no text)`);
  });

  it('no pictures and no unnamed bytes, but unnamed text', async () => {
    const picture = await serve(sends('image/png', 'PNG'));
    expect(await get(picture.base)).toBe(`Error: ${picture.base}/ is image/png, which can't be read as text.`);
    const bytes = await serve(sends(undefined, Buffer.from([1, 0, 2])));
    expect(await get(bytes.base)).toMatch(/^Error: .* is no text/);
    const text = await serve(sends(undefined, 'plain'));
    expect(await get(text.base)).toContain('plain');
  });

  it('what was packed, unpacked', async () => {
    const gzip = await serve(sends('text/plain', gzipSync('packed'), { 'content-encoding': 'gzip' }));
    expect(await get(gzip.base)).toContain('\n\npacked');
    const brotli = await serve(sends('text/plain', brotliCompressSync('packed'), { 'content-encoding': 'br' }));
    expect(await get(brotli.base)).toContain('\n\npacked');
    const broken = await serve(sends('text/plain', 'not gzip', { 'content-encoding': 'gzip' }));
    expect(await get(broken.base)).toMatch(/^Error: .* was not fetched/);
  });
});

describe('WebFetch: what it refuses', () => {
  it.each(['file:///etc/passwd', 'ftp://a.b/', 'data:text/plain,a', 'javascript:1', 'not a url', '/etc/passwd'])(
    '%s',
    async (url) => {
      expect(await get(url)).toMatch(/^Error: .* was not fetched\./);
    },
  );

  it('users and passwords in URLs', async () => {
    expect(await get('http://ann:secret@127.0.0.1/')).toContain('with a user or a password');
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '0',
  ])('this machine as %s, unless it is allowed', async (host) => {
    const { port, asked } = await serve(sends('text/plain', 'secret'));
    expect(await get(`http://${host}:${port}/`, {}, {})).toContain('is not on the public internet');
    expect(asked).toEqual([]);
  });

  it('names that lead to this machine, unless they are allowed', async () => {
    const { port, asked } = await serve(sends('text/plain', 'secret'));
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const url = `http://innocent.example:${port}/`;
    expect(await get(url, {}, { resolve })).toContain(
      '127.0.0.1 is not on the public internet (innocent.example leads there)',
    );
    expect(await get(`http://localhost:${port}/`, {}, {})).toContain('is not on the public internet');
    expect(asked).toEqual([]);
    expect(await get(url, {}, { resolve, allowedHosts: new Set(['innocent.example']) })).toContain('secret');
  });

  it('names of which one address is local', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ];
    expect(await get('http://mixed.example/', {}, { resolve })).toContain(
      '::ffff:127.0.0.1 is not on the public internet',
    );
  });

  it('names that change where they lead between two connections', async () => {
    const { port, asked } = await serve((_, response) => {
      response.writeHead(302, { location: `http://rebind.example:${port}/again`, connection: 'close' }).end();
    });
    let lookups = 0;
    // Allowed is the first host only; the second is checked when it is connected to.
    const resolve = async () => {
      lookups++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const options = { resolve, allowedHosts: new Set(['first.example']) };
    expect(await get(`http://first.example:${port}/`, {}, options)).toContain('rebind.example leads there');
    expect(lookups).toBe(2);
    expect(asked).toHaveLength(1);
  });

  it('connects to the address that was checked, without looking it up again', async () => {
    const { port } = await serve(sends('text/plain', 'here'));
    const answers = ['127.0.0.1', '10.255.255.1'];
    let lookups = 0;
    const resolve = async () => [{ address: answers[lookups++] ?? '10.255.255.1', family: 4 }];
    expect(
      await get(`http://pinned.example:${port}/`, {}, { resolve, allowedHosts: new Set(['pinned.example']) }),
    ).toContain('here');
    expect(lookups).toBe(1);
  });

  it.each([
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '//10.0.0.1/',
    'http://a:b@127.0.0.1/',
    'http://',
    'http://127.0.0.2.:1/',
    'http://0x7f.2/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
  ])('redirects to %s', async (location) => {
    const { base } = await serve(sends(undefined, '', { location }, 302));
    expect(await get(base)).toMatch(/^Error: .* was not fetched\. .* redirects to /);
  });
});

describe('WebFetch: redirects and limits', () => {
  it('follows ten redirects and no more', async () => {
    const { base, asked } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(307, { location: `/${left - 1}` }).end('moved');
      else response.end('arrived');
    });
    expect(await get(`${base}/10`)).toBe(`${base}/0\n\narrived`);
    expect(asked).toHaveLength(11);
    expect(await get(`${base}/11`)).toContain('more than 10 redirects');
  });

  it('unpacks no more than 5 MB of a bomb', async () => {
    const { base } = await serve(
      sends('text/plain', gzipSync(Buffer.alloc(200 * 1024 * 1024)), { 'content-encoding': 'gzip' }),
    );
    const before = process.memoryUsage().arrayBuffers;
    expect(await get(base, { max_characters: 10 })).toContain(
      'Only the first 5 MB were fetched.\nCharacters 0 to 10 of 5242880',
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(250 * 1024 * 1024);
  });

  it.each<[string, string, Buffer]>([
    ['brotli', 'br', brotliCompressSync(Buffer.alloc(200 * 1024 * 1024))],
    ['gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200 * 1024 * 1024)))],
  ])('unpacks no more of one in %s', async (_, encoding, body) => {
    const { base } = await serve(sends('text/plain', body, { 'content-encoding': encoding }));
    expect(await get(base, { max_characters: 10 })).toContain('Only the first 5 MB were fetched.');
  });

  it('refuses what is packed again and again, or isn’t what it says', async () => {
    let body: Buffer = Buffer.from('x');
    for (let times = 0; times < 12; times++) body = gzipSync(body);
    const often = await serve(sends('text/plain', body, { 'content-encoding': Array(12).fill('gzip').join(', ') }));
    expect(await get(often.base)).toMatch(/^Error: .* was not fetched\. too many content-encodings/);
    const lies = await serve(sends('text/plain', 'no gzip', { 'content-encoding': 'gzip' }));
    expect(await get(lies.base)).toMatch(/^Error: .* was not fetched\. /);
  });

  it('goes round in circles ten times at most', async () => {
    const { base, asked } = await serve(sends(undefined, '', { location: '/' }, 302));
    expect(await get(base)).toContain('more than 10 redirects');
    expect(asked).toHaveLength(11);
  });

  it('gives up on a name that is never looked up', async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await get('http://slow.example/', {}, { resolve, limitMs: 600 })).toBe(
      'Error: http://slow.example/ was not fetched within 0.6 s.',
    );
  });

  it('leaves a body that doesn’t end', async () => {
    const { base } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const block = 'x'.repeat(256 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    });
    expect(await get(base, { max_characters: 10 })).toContain('Only the first 5 MB were fetched.');
  });

  it.each<[string, Handler]>([
    ['doesn’t answer', () => {}],
    [
      'answers a byte at a time',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('gives up on a server that %s', async (_, handler) => {
    const { base } = await serve(handler);
    expect(await get(base, {}, { allowedHosts: LOCAL, limitMs: 600 })).toBe(
      `Error: ${base} was not fetched within 0.6 s.`,
    );
  });

  it('refuses huge headers in words', async () => {
    const { base } = await serve(sends('text/plain', 'x', { 'x-huge': 'y'.repeat(100 * 1024) }));
    expect(await get(base)).toMatch(/^Error: .* was not fetched\. .*Header/i);
  });

  it('says that nobody listens', async () => {
    expect(await get('http://127.0.0.1:1/')).toMatch(/^Error: http:\/\/127.0.0.1:1\/ was not fetched\. .+/);
  });

  it('ends when the run is stopped', async () => {
    const stop = new AbortController();
    const { base } = await serve(() => stop.abort(new Error('stopped by a test')));
    await expect(fetchTool().execute({ url: base }, { signal: stop.signal })).rejects.toThrow('stopped by a test');
  });

  it('is safe, and names its URL to the firewall', () => {
    const tool = fetchTool();
    expect(tool.risk).toBe('safe');
    expect(tool.access?.({ url: 'https://a.b/' })).toEqual({ url: 'https://a.b/' });
    expect(tool.access?.({ url: 1 })).toEqual({});
  });
});
