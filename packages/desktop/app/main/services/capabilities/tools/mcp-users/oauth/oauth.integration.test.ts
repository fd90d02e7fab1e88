import type { SignInStatus } from '@shared/contracts/oauth.contract.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DocumentStore } from '../../../../ports/infrastructure.ts';
import { type OAuthServerOptions, startOAuthServers } from '../__fixtures__/oauth-server.ts';
import { makePool, memoryStore, silentLogger, stateOf, testSecrets, until } from '../__fixtures__/pool.ts';
import type { McpService } from '../McpService.ts';
import { OAuthService, type OAuthServiceOptions } from './OAuthService.ts';

/** An app: a pool that can sign in. Its browser is `fetch`, which follows redirects as a person without questions would. */
function makeApp(store: DocumentStore, options: Partial<OAuthServiceOptions> = {}) {
  const statuses: SignInStatus[] = [];
  const opened: string[] = [];
  let pool: McpService | undefined;
  const oauth: OAuthService = new OAuthService({
    store,
    secrets: testSecrets,
    fetch,
    logger: silentLogger,
    appName: 'TinyElf',
    openExternal: async (url) => {
      opened.push(url);
      void fetch(url);
      return true;
    },
    servers: () => pool?.listServers() ?? [],
    restart: (serverId) => pool?.restart(serverId),
    onChange: (status) => statuses.push(status),
    ...options,
  });
  const made = makePool({ oauth });
  pool = made.service;
  onTestFinished(() => oauth.close());
  let calls = 0;
  const call = (serverId: string, tool = 'echo', onProgress?: () => void) =>
    made.service.callTool(serverId, tool, {}, `call-${calls++}`, { onProgress });
  const signIn = async (serverId: string) => {
    await oauth.prepare(serverId);
    await oauth.open(serverId);
  };
  return { ...made, oauth, statuses, opened, call, signIn, pool: made.service };
}

type App = ReturnType<typeof makeApp>;

async function servers(options: OAuthServerOptions = {}) {
  const started = await startOAuthServers(options);
  onTestFinished(started.close);
  return started;
}

const record = { id: 'web', name: 'web', type: 'http', enabled: true, env: {}, headers: {} };

/** A store of servers with one at `url`, the same in every process. */
const serverStore = (url: string) =>
  memoryStore({ version: 1, servers: [{ ...record, config: { url } }], builtins: [] });

async function signedInApp(options: OAuthServerOptions = {}) {
  const server = await servers(options);
  const store = memoryStore();
  const app = makeApp(store);
  const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
  await until(() => stateOf(app.pool, id).status === 'needs-sign-in', 'wants a sign-in');
  await app.signIn(id);
  await until(() => stateOf(app.pool, id).status === 'ready', 'ready');
  return { ...app, server, store, id };
}

describe('signing in', () => {
  it('opens nothing before the person says so, then registers, signs in and connects', async () => {
    const { oauth, opened, server, store, id, call } = await signedInApp();
    expect(opened.length).toBe(1);
    const page = server.seen.authorize[0]!;
    expect(page.searchParams.get('scope')).toBe('read');
    expect(page.searchParams.get('resource')).toBe(server.url);
    expect(await call(id)).toMatchObject({ isError: false });
    expect(await oauth.list()).toEqual([expect.objectContaining({ serverId: id, signedIn: true })]);
    expect(server.counts).toMatchObject({ registrations: 1, authorizations: 1, refreshes: 0 });
    const bearer = server.seen.bearers.at(-1)!;
    expect(bearer).toBeTruthy();
    expect(store.text()).not.toContain(bearer);
  });

  it('names the host that it would open', async () => {
    const server = await servers();
    const app = makeApp(memoryStore());
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    expect(await app.oauth.prepare(id)).toEqual({ host: new URL(server.issuer).host });
    expect(app.opened).toEqual([]);
    app.oauth.cancel(id);
    await until(() => app.statuses.at(-1)?.attempt === undefined, 'given up');
    await expect(app.oauth.open(id)).rejects.toMatchObject({ code: 'sign-in-failed' });
  });

  it.each([
    ['another state', (answer: URLSearchParams) => answer.set('state', 'other'), 'took too long'],
    ['no state', (answer: URLSearchParams) => answer.delete('state'), 'took too long'],
    [
      'another issuer',
      (answer: URLSearchParams) => answer.set('iss', 'https://evil.example'),
      'another sign-in service',
    ],
    ['no issuer', (answer: URLSearchParams) => answer.delete('iss'), 'another sign-in service'],
    ['another code', (answer: URLSearchParams) => answer.set('code', 'made-up'), 'refused'],
    [
      'a refusal',
      (answer: URLSearchParams) => {
        answer.delete('code');
        answer.set('error', 'access_denied');
      },
      'denied',
    ],
  ])('takes no answer with %s', async (_, redirect, message) => {
    const server = await servers({ redirect });
    const app = makeApp(memoryStore(), { signInMs: message === 'took too long' ? 1500 : 30_000 });
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    await app.signIn(id);
    await until(() => app.statuses.at(-1)?.error !== undefined, 'refused');
    expect(app.statuses.at(-1)).toMatchObject({
      signedIn: false,
      error: { message: expect.stringContaining(message) },
    });
    expect(app.statuses.at(-1)?.attempt).toBeUndefined();
  });

  it.each([
    ['without PKCE', (metadata: Record<string, unknown>) => delete metadata.code_challenge_methods_supported],
    [
      'of another issuer',
      (metadata: Record<string, unknown>) => Object.assign(metadata, { issuer: 'https://evil.example' }),
    ],
    [
      'that is not secure',
      (metadata: Record<string, unknown>) =>
        Object.assign(metadata, { authorization_endpoint: 'http://login.example/authorize' }),
    ],
    [
      'whose page is no web page',
      (metadata: Record<string, unknown>) => Object.assign(metadata, { authorization_endpoint: 'file:///etc/passwd' }),
    ],
  ])('refuses a sign-in service %s, before anything is opened', async (_, metadata) => {
    const server = await servers({ metadata });
    const app = makeApp(memoryStore());
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    await expect(app.oauth.prepare(id)).rejects.toMatchObject({ code: 'sign-in-failed' });
    expect(app.opened).toEqual([]);
  });

  it('asks for a client where the app can not register itself', async () => {
    const client = { id: 'given', secret: 'very secret' };
    const server = await servers({ client });
    const app = makeApp(memoryStore());
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    await expect(app.oauth.prepare(id)).rejects.toMatchObject({ code: 'client-needed' });
    await app.oauth.prepare(id, client);
    await app.oauth.open(id);
    await until(() => stateOf(app.pool, id).status === 'ready', 'ready');
    await app.oauth.signOut(id);
    await app.oauth.prepare(id);
  });

  it.each([
    ['its page says so', (app: App, id: string) => app.oauth.cancel(id)],
    ['its page says so, and the person begins anew', () => {}],
  ])('registers the app again where the service has forgotten it: %s', async (_, giveUp) => {
    const { server, id, ...app } = await signedInApp();
    await app.oauth.signOut(id);
    server.forgetClients();
    await app.signIn(id);
    await until(() => server.counts.authorizations === 2, 'the page is seen');
    giveUp(app, id);
    await app.signIn(id);
    await until(() => stateOf(app.pool, id).status === 'ready', 'ready', 5000);
    expect(server.counts.registrations).toBe(2);
  });

  it('says so before the person goes to the browser when the tokens could not be kept', async () => {
    const server = await servers();
    const seal = () => Promise.reject(Object.assign(new Error('weak'), { code: 'weak-secrets' }));
    const app = makeApp(memoryStore(), { secrets: { ...testSecrets, seal } });
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    await expect(app.oauth.prepare(id)).rejects.toThrow();
    expect(server.counts.authorizations).toBe(0);
  });

  it('leaves a server alone whose headers hold a key', async () => {
    const server = await servers();
    const app = makeApp(memoryStore());
    const headers = { Authorization: 'Bearer own' };
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url, headers } });
    await until(() => stateOf(app.pool, id).status === 'needs-sign-in', 'refused');
    expect(await app.oauth.list()).toEqual([]);
    expect(new Set(server.seen.bearers)).toEqual(new Set(['own']));
    await expect(app.oauth.prepare(id)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a call', () => {
  it('that waits for the sign-in goes on after it', async () => {
    const { server, id, pool, signIn } = await signedInApp();
    server.expireAccess();
    server.forgetRefreshTokens();
    let told = false;
    const waiting: boolean[] = [];
    const answer = pool.callTool(id, 'echo', {}, 'waits', {
      onProgress: () => {
        told = true;
      },
      onWaiting: (isWaiting) => waiting.push(isWaiting),
    });
    await until(() => told, 'the person is told');
    expect(waiting).toEqual([true]);
    expect(stateOf(pool, id).status).toBe('needs-sign-in');
    await signIn(id);
    expect(await answer).toMatchObject({ isError: false });
    expect(waiting).toEqual([true, false]);
    expect(server.counts.calls).toBe(1);
  });

  it('that waits ends with the sign-in that was given up, and can be cancelled', async () => {
    const { server, oauth, pool, id, call } = await signedInApp();
    server.expireAccess();
    server.forgetRefreshTokens();
    let told = 0;
    const first = call(id, 'echo', () => told++).catch((error: unknown) => error);
    await until(() => told === 1, 'the person is told');
    await oauth.prepare(id);
    oauth.cancel(id);
    expect(await first).toMatchObject({ code: 'cancelled' });
    const second = pool
      .callTool(id, 'echo', {}, 'second', { onProgress: () => told++ })
      .catch((error: unknown) => error);
    await until(() => told === 2, 'the person is told again');
    pool.cancelCall('second');
    expect(await second).toMatchObject({ code: 'cancelled' });
  });

  it('that needs more rights asks for them on top of what is granted, and leaves the connection alone', async () => {
    const { server, id, pool, call, signIn, statuses, states } = await signedInApp();
    const before = states.length;
    const answer = call(id, 'admin');
    await until(() => statuses.at(-1)?.needs === 'more-rights', 'more rights are wanted');
    expect(await call(id)).toMatchObject({ isError: false });
    await signIn(id);
    expect(await answer).toMatchObject({ content: [{ text: 'admin was called' }] });
    expect(server.seen.authorize.at(-1)!.searchParams.get('scope')).toBe('read admin');
    expect(states.length).toBe(before);
    expect(stateOf(pool, id).status).toBe('ready');
  });
});

describe('refreshing (C20)', () => {
  it('happens once for five calls after expiry', async () => {
    const { server, id, call } = await signedInApp({ expiresIn: 2, refreshMs: 100 });
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const before = server.counts.refreshes;
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => call(id)));
    expect(answers.every(({ isError }) => !isError)).toBe(true);
    expect(server.counts.refreshes - before).toBe(1);
    expect(server.counts.refusedRefreshes).toBe(0);
  });

  it('happens once for five calls whose token was taken back before its time', async () => {
    const { server, id, call } = await signedInApp({ refreshMs: 100 });
    server.expireAccess();
    await Promise.all([1, 2, 3, 4, 5].map(() => call(id)));
    expect(server.counts).toMatchObject({ refreshes: 1, calls: 5 });
  });

  it('is done by several processes at once, and the losers use the token of the winner', async () => {
    const first = await signedInApp({ refreshMs: 200 });
    const { server, store } = first;
    const firstServers = first.pool.listServers();
    const others = [1, 2].map(() => makeApp(store, { servers: () => firstServers }));
    const fetches = [first, ...others].map(({ oauth }) =>
      oauth.fetchFor({ id: first.id, type: 'http', config: { url: server.url } }),
    );
    server.expireAccess();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } });
    const answers = await Promise.all(fetches.map((each) => each(server.url, { method: 'POST', body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(server.counts.refusedRefreshes).toBe(2);
    expect(await first.oauth.list()).toEqual([expect.objectContaining({ signedIn: true })]);
    server.expireAccess();
    expect(await first.call(first.id)).toMatchObject({ isError: false });
  });

  it('keeps the refresh token when the answer has no new one', async () => {
    const { server, id, call } = await signedInApp({ keepsRefreshTokens: true });
    for (let round = 1; round <= 3; round++) {
      server.expireAccess();
      await call(id);
      expect(server.counts.refreshes).toBe(round);
    }
    expect(server.counts.authorizations).toBe(1);
  });

  it.each([
    ['nulls', { refresh_token: null, scope: null, id_token: null, token_type: undefined }],
    ['an empty refresh token, and a lifetime in words', { refresh_token: '', expires_in: '1h' }],
    ['no lifetime', { refresh_token: undefined, expires_in: 0 }],
  ])('loses nothing of an answer with %s', async (_what, fields) => {
    let isOdd = false;
    const tokens = (answer: Record<string, unknown>) => (isOdd ? { ...answer, ...fields } : answer);
    const { server, id, call } = await signedInApp({ keepsRefreshTokens: true, tokens });
    isOdd = true;
    for (let round = 1; round <= 2; round++) {
      server.expireAccess();
      expect(await call(id)).toMatchObject({ isError: false });
      expect(await call(id)).toMatchObject({ isError: false });
      expect(server.counts.refreshes).toBe(round);
    }
    expect(server.counts.authorizations).toBe(1);
  });

  it.each(['temporarily_unavailable', 'slow_down', 'invalid_request', 'unsupported_grant_type'])(
    'that is refused with %s does not cost the refresh token',
    async (error) => {
      let isRefused = false;
      const { server, id, pool, call } = await signedInApp({ refreshError: () => (isRefused ? error : undefined) });
      server.expireAccess();
      isRefused = true;
      // It may wait for the person.
      const first = call(id).catch(() => {});
      await Promise.race([first, until(() => stateOf(pool, id).status === 'needs-sign-in', 'it is refused')]);
      isRefused = false;
      pool.restart(id);
      await until(() => stateOf(pool, id).status === 'ready', 'ready');
      expect(await call(id)).toMatchObject({ isError: false });
      expect(server.counts.authorizations).toBe(1);
    },
  );

  it('that can not be done for want of a network leaves the sign-in as it is', async () => {
    let down = false;
    const app = makeApp(memoryStore(), {
      fetch: (input, init) =>
        down && init?.method === 'POST' && String(input).endsWith('/token')
          ? Promise.reject(new TypeError('fetch failed'))
          : fetch(input, init),
    });
    const server = await servers();
    const { id } = await app.pool.add({ name: 'web', type: 'http', config: { url: server.url } });
    await app.signIn(id);
    await until(() => stateOf(app.pool, id).status === 'ready', 'ready');
    server.expireAccess();
    down = true;
    await expect(app.call(id)).rejects.toMatchObject({ code: 'call-lost' });
    down = false;
    expect(await app.call(id)).toMatchObject({ isError: false });
    expect(server.counts.authorizations).toBe(1);
  });
});

describe('a sign-in at rest', () => {
  it('is there after a restart of the app', async () => {
    const { server, store, id } = await signedInApp();
    const again = makeApp(store);
    const { service } = makePool({ store: serverStore(server.url), oauth: again.oauth });
    expect(service.listServers().length).toBe(1);
    const fetchAgain = again.oauth.fetchFor({ id, type: 'http', config: { url: server.url } });
    await fetchAgain(server.url, { method: 'POST', body: '{"method":"x"}' });
    expect(server.seen.bearers.at(-1)).toBe(server.seen.bearers.find(Boolean));
  });

  it('goes to no other origin', async () => {
    const { server, oauth, pool, id } = await signedInApp();
    const other = await servers();
    await pool.update(id, { name: 'web', type: 'http', config: { url: other.url } });
    await until(() => stateOf(pool, id).status === 'needs-sign-in', 'refused there');
    expect(other.seen.bearers.every((bearer) => bearer === undefined)).toBe(true);
    expect(await oauth.list()).toEqual([expect.objectContaining({ signedIn: false })]);
    const send = oauth.fetchFor({ id, type: 'http', config: { url: server.url } });
    await send(other.url, { method: 'POST', body: '{}' });
    expect(other.seen.bearers.at(-1)).toBeUndefined();
  });

  it('ends with signing out, and with its server', async () => {
    const { server, oauth, pool, store, id, signIn } = await signedInApp();
    await oauth.signOut(id);
    await until(() => stateOf(pool, id).status === 'needs-sign-in', 'signed out');
    await until(() => server.counts.revocations === 1, 'revoked');
    await signIn(id);
    await until(() => stateOf(pool, id).status === 'ready', 'ready again');
    const record = { id, type: 'http' as const, config: { url: server.url } };
    const send = oauth.fetchFor(record);
    expect(oauth.fetchFor(record)).toBe(send);
    await pool.remove(id);
    await oauth.keepOnly(new Set());
    expect(store.read()).toEqual({ version: 1, grants: {} });
    expect(oauth.fetchFor(record)).not.toBe(send);
  });

  it.each([
    ['removed', (pool: McpService, id: string) => pool.remove(id)],
    ['switched off', (pool: McpService, id: string) => pool.setEnabled(id, false)],
  ])('that a call waits for ends the call, when its server is %s', async (_how, end) => {
    const { oauth, pool, id, call } = await signedInApp();
    await oauth.signOut(id);
    await until(() => stateOf(pool, id).status === 'needs-sign-in', 'signed out');
    const waiting = Promise.withResolvers<void>();
    const outcome = call(id, 'echo', waiting.resolve).catch((error) => error);
    await waiting.promise;
    await end(pool, id);
    await oauth.keepOnly(new Set(pool.listServers().map(({ server }) => server.id)));
    expect(await outcome).toMatchObject({ code: 'cancelled' });
  });
});
