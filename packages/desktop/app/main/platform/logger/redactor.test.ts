import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from './redactor.ts';

const text = (input: string) => createRedactor().text(input);

describe('registered values', () => {
  it.each(['hunter2!', 'a b/c?d=é', 'quote"back\\slash', 'x.*+?^$(){}|[]', '日本語のパスワード', 'four'])(
    'hides %j in plain, URL, JSON and base64 form',
    (secret) => {
      const redactor = createRedactor();
      redactor.add(secret);
      const places = [
        secret,
        encodeURIComponent(secret),
        new URLSearchParams({ q: secret }).toString(),
        JSON.stringify({ note: secret }),
        ...(secret.length >= 8 ? [Buffer.from(secret).toString('base64')] : []),
      ];
      const out = redactor.text(places.join(' | '));
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, 10)]) {
        if (form.length >= 8) expect(out).not.toContain(form);
      }
      expect(redactor.text(`before ${secret} after`)).toBe(`before ${REDACTED} after`);
    },
  );

  it('leaves nothing of a value that begins like a shorter one', () => {
    const redactor = createRedactor();
    redactor.add('abcd');
    redactor.add('abcd-efgh');
    expect(redactor.text('abcd-efgh abcd')).toBe(`${REDACTED} ${REDACTED}`);
  });

  it('hides the lines of a value of several lines', () => {
    const redactor = createRedactor();
    redactor.add('first line of it\nsecond line of it\nx');
    expect(redactor.text('… second line of it …')).toBe(`… ${REDACTED} …`);
  });

  it('takes no value so short that it would hide everything', () => {
    const redactor = createRedactor();
    for (const value of ['', '1', 'on', 'yes']) redactor.add(value);
    expect(redactor.text('yes, 1 is on')).toBe('yes, 1 is on');
  });
});

describe('patterns', () => {
  const SECRET = 'Zq7SecretPart9';
  it.each([
    `sk-${SECRET}`,
    'sk-test-0000',
    `sk-ant-api03-${SECRET}_x-y`,
    `sk-proj-${SECRET}`,
    `key is sk-${SECRET}.`,
    `Authorization: Bearer ${SECRET}`,
    `authorization: Basic ${SECRET}==`,
    `"authorization":"Bearer ${SECRET}"`,
    `{\\"Authorization\\":\\"Token ${SECRET}\\"}`,
    `Bearer ${SECRET}`,
    `BEARER  ${SECRET}`,
    `api_key=${SECRET}`,
    `apiKey: '${SECRET}'`,
    `"api-key" : "${SECRET}"`,
    `X-Api-Key: ${SECRET}`,
    `OPENAI_API_KEY=${SECRET}`,
    `GITHUB_TOKEN=${SECRET} node server.js`,
    `password=${SECRET}&user=ann`,
    `client_secret=${SECRET}`,
    `AWS_SECRET_ACCESS_KEY=${SECRET}`,
    `https://host.example/v1?key=${SECRET}&alt=sse`,
    `https://host.example/v1?access_token=${SECRET}`,
    `https://host.example/v1?alt=sse&sig=${SECRET}#x`,
    `https://ann:${SECRET}@host.example/path`,
    `https://${SECRET}@host.example`,
    `postgres://ann:p@${SECRET}@db:5432/x`,
    `--token ${SECRET}`,
    `--api-key=${SECRET}`,
    `npx server --github-token "${SECRET}" --verbose`,
    `["--api-key","${SECRET}"]`,
    `-key ${SECRET}`,
    `Cookie: session=${SECRET}; other=1`,
    `AIza${SECRET}${SECRET}`,
    `ghp_${SECRET}${SECRET}`,
    `github_pat_${SECRET}_${SECRET}`,
    `xoxb-${SECRET}`,
    `glpat-${SECRET}abc`,
    `gsk_${SECRET}${SECRET}`,
    `eyJhbGciOiJIUzI1NiJ9.${SECRET}.${SECRET}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${SECRET}\ncut off`,
  ])('hides the secret of %s', (input) => {
    expect(text(input)).toContain(REDACTED);
    expect(text(input)).not.toMatch(/Zq7Secret|test-0000/);
    expect(text(text(input))).not.toMatch(/Zq7Secret|test-0000/);
  });

  it.each([
    'The server "files" started in 240 ms (pid 4711).',
    'https://host.example/a/b?page=2&limit=10#top',
    'inputTokens: 12, outputTokens: 40',
    'task-force risk-free disk-usage',
    'read_text_file {"path":"notes/keys.md","head":5}',
    'mail to ann@host.example',
    'npx -y @modelcontextprotocol/server-filesystem /home/ann/Documents',
    "Error: ENOENT: no such file or directory, open '/x/key.txt'",
    '天気は晴れ',
  ])('leaves %s as it is', (input) => {
    expect(text(input)).toBe(input);
  });

  it('keeps what stands around a secret', () => {
    expect(text('GET https://h.example/v1?alt=sse&key=abcdefgh&x=1 failed')).toBe(
      `GET https://h.example/v1?alt=sse&key=${REDACTED}&x=1 failed`,
    );
    expect(text('{"apiKey":"abcdefgh","model":"m"}')).toBe(`{"apiKey":"${REDACTED}","model":"m"}`);
  });

  it.each([
    ['a', 'a'.repeat(200_000)],
    ['a.', 'a.'.repeat(100_000)],
    ['http://', 'http://'.repeat(30_000)],
    ['--', '-'.repeat(200_000)],
    ['token', 'token'.repeat(40_000)],
    ['token ', 'token '.repeat(40_000)],
    ['spaces', `token${' '.repeat(200_000)}`],
    ['eyJ', 'eyJ'.repeat(60_000)],
    ['BEGIN', '-----BEGIN PRIVATE KEY-----'.repeat(8_000)],
    ['quotes', '--key "'.repeat(30_000)],
  ])('takes little time for a long text of %s', (_, input) => {
    const start = performance.now();
    text(input);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('data', () => {
  it('hides values by the name of their key, and every value of env and headers', () => {
    const { data } = createRedactor();
    const config = {
      apiKey: 'abc',
      access_token: 'abc',
      nested: [{ Password: 'abc', user: 'ann' }],
      env: { FOO: 'abc', LANG: 'en' },
      headers: [['x-team', 'abc']],
      args: ['--verbose', '--token', 'abc', 'file'],
      inputTokens: 5,
      secretStorage: 'weak',
    };
    expect(data(config)).toEqual({
      apiKey: REDACTED,
      access_token: REDACTED,
      nested: [{ Password: REDACTED, user: 'ann' }],
      env: { FOO: REDACTED, LANG: REDACTED },
      headers: { 'x-team': REDACTED },
      args: ['--verbose', '--token', REDACTED, 'file'],
      inputTokens: 5,
      secretStorage: 'weak',
    });
    expect(config.apiKey).toBe('abc');
  });

  it('turns everything into what JSON takes', () => {
    const redactor = createRedactor();
    redactor.add('hunter22');
    const cyclic: Record<string, unknown> = {
      at: new Date(0),
      bytes: Buffer.alloc(9),
      big: 5n,
      run() {},
      map: new Map([['a', 1]]),
    };
    cyclic.self = cyclic;
    cyclic.error = Object.assign(new Error('failed with hunter22', { cause: new Error('Bearer abcdefgh') }), {
      code: 'X',
    });
    const out = redactor.data(cyclic) as Record<string, Record<string, unknown>>;
    expect(out).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      bytes: '[9 bytes]',
      big: '5',
      self: '[circular]',
      map: { a: 1 },
      error: { code: 'X', message: `failed with ${REDACTED}`, cause: { message: `Bearer ${REDACTED}` } },
    });
    expect(JSON.stringify(out)).not.toContain('hunter22');
  });

  it('hides a token without the scheme that it was given with', () => {
    const redactor = createRedactor();
    redactor.add('Bearer hunter2-hunter2');
    expect(redactor.text('the token hunter2-hunter2, or Bearer hunter2-hunter2')).not.toContain('ter2');
  });

  it.each([19_990, 20_000, 28_180, 28_190])(
    'leaves no part of a secret where a text of %i characters before it is cut',
    (before) => {
      const redactor = createRedactor();
      redactor.add('hunter2-hunter2');
      const many = 'hunter2-hunter2 '.repeat(100);
      for (const start of ['', many]) {
        const text = `${start}${'.'.repeat(before - start.length)}hunter2-hunter2${'.'.repeat(20_000)}`;
        expect(redactor.data(text)).not.toContain('hun');
      }
    },
  );

  it('cuts what is too deep or too much', () => {
    const { data } = createRedactor();
    let deep: unknown = 'x';
    for (let n = 0; n < 5000; n++) deep = { deep };
    expect(JSON.stringify(data(deep))).toContain('[deeper]');
    expect(data(Array.from({ length: 1000 }, () => 0))).toHaveLength(201);
    expect((data('y'.repeat(1e6)) as string).length).toBeLessThan(21_000);
  });

  it('hides a secret in a key', () => {
    const redactor = createRedactor();
    redactor.add('hunter22');
    expect(redactor.data({ hunter22: 1 })).toEqual({ [REDACTED]: 1 });
  });
});
