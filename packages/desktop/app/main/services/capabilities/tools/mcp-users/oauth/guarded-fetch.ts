import type { Fetch } from '../../../../ports/infrastructure.ts';
import { limitedFetch } from '../transports/limited-fetch.ts';
import { readLeniently } from './lenient-answers.ts';
import { signInFailed } from './sign-in-failed.ts';

/** More than any metadata or token answer has. */
const MAX_BYTES = 1024 * 1024;

/**
 * A fetch for what the sign-in to one server needs. A server names the addresses, so they are not to be trusted: nothing goes
 * over an open connection, or to this machine on behalf of a server elsewhere; answers are bounded; and what is posted, codes
 * and tokens, follows no redirect.
 */
export function guardedFetch(fetch: Fetch, serverUrl: string): Fetch {
  const limited = limitedFetch(fetch, MAX_BYTES);
  return async (input, init) => {
    checkSecure(input instanceof Request ? input.url : input, serverUrl);
    return readLeniently(await limited(input, init?.method === 'POST' ? { ...init, redirect: 'error' } : init));
  };
}

/** @throws AppError `sign-in-failed` for an address that a server must not send us to */
export function checkSecure(endpoint: string | URL, serverUrl: string): void {
  const { protocol, hostname, href } = new URL(endpoint);
  const isHere = isLoopback(hostname);
  if (isHere && !isLoopback(new URL(serverUrl).hostname)) {
    throw signInFailed('The server wants you to sign in at an address of this computer.', {
      hint: 'Tell whoever runs the server. Nothing was sent there.',
      details: href.slice(0, 1000),
    });
  }
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return;
  throw signInFailed('The sign-in service is not reached over a secure connection.', {
    hint: 'Tell whoever runs the server: its address must begin with https.',
    details: href.slice(0, 1000),
  });
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  hostname === '0.0.0.0' ||
  hostname === '[::]' ||
  /^(?:127\.|\[::ffff:7f)/.test(hostname);
