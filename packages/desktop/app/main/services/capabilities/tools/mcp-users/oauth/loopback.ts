import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PATH = '/callback';

export interface Loopback {
  /** `http://127.0.0.1:<port>/callback` */
  redirectUri: string;
  /** The parameters of the first redirect that carries our state. Never rejects; pending for ever when it is closed. */
  redirected: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Waits on 127.0.0.1 for the browser to come back. Requests with another state are turned away, and don't end the waiting.
 *
 * @param port the port of an earlier registration; a free one is taken when it is in use
 */
export async function openLoopback(options: { state: string; appName: string; port?: number }): Promise<Loopback> {
  const { promise: redirected, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const send = (status: number, title: string, text: string) =>
      response.writeHead(status, HEADERS).end(page(title, text, options.appName));
    if (request.method !== 'GET' || url.pathname !== PATH) return send(404, 'Nothing here', 'There is no such page.');
    if (!isSame(url.searchParams.get('state') ?? '', options.state)) {
      return send(400, 'This is not the sign-in that was begun', `Go back to ${options.appName} and begin again.`);
    }
    if (url.searchParams.has('error'))
      send(200, 'Sign-in was not completed', `Go back to ${options.appName}: it says why.`);
    else send(200, 'Done here', `You can close this page and go back to ${options.appName}.`);
    resolve(url.searchParams);
  });
  const port = await listen(server, options.port);
  return {
    redirectUri: `http://127.0.0.1:${port}${PATH}`,
    redirected,
    close: () => {
      // What is being answered may end; nothing new is taken.
      server.close();
      server.closeIdleConnections();
    },
  };
}

async function listen(server: Server, wanted = 0): Promise<number> {
  const on = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await on(wanted).catch((error) => {
    if (wanted === 0) throw error;
    return on(0);
  });
  return (server.address() as AddressInfo).port;
}

/** Hashes first, so that the lengths are equal and the time says nothing. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(sha256(a), sha256(b));
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

/** Holds nothing of the request. */
const page = (title: string, text: string, appName: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${appName}</title>
<style>
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#faf7f3,#1d1a17);color:light-dark(#2b2622,#ece6df)}
main{max-width:26rem;margin:18vh auto;padding:0 1.5rem;text-align:center}h1{font-size:1.4rem;margin:0 0 .5rem}p{margin:0}
</style><main><h1>${title}</h1><p>${text}</p></main></html>`;
