import { ModelError } from '../../ports/errors.ts';
import { redactKey } from './redact.ts';

interface Cause {
  pattern: RegExp;
  message: (host: string) => string;
  hint: string;
  /** Likely to pass by itself. */
  retryable?: boolean;
}

/** By the error codes of Node and the `net::ERR_…` names of Chromium. */
const CAUSES: Cause[] = [
  {
    pattern: /redirect/i,
    message: (host) => `${host} sends the request on to another address.`,
    hint: 'Enter the address that it leads to as the base URL; often it only has to begin with https.',
  },
  {
    pattern: /INTERNET_DISCONNECTED|NETWORK_CHANGED|ENETUNREACH|ENETDOWN/,
    message: (host) => `There is no network connection to ${host}.`,
    hint: 'Check the internet connection and try again.',
    retryable: true,
  },
  {
    pattern: /PROXY|TUNNEL|Proxy response/,
    message: (host) => `The proxy did not let the request to ${host} through.`,
    hint: 'Check the proxy settings of this computer.',
  },
  {
    pattern: /ENOTFOUND|NAME_NOT_RESOLVED|NAME_RESOLUTION/,
    message: (host) => `The address ${host} could not be found.`,
    hint: 'Check the base URL in the settings, and the internet connection.',
  },
  {
    pattern: /EAI_AGAIN/,
    message: (host) => `The address ${host} could not be looked up.`,
    hint: 'Check the internet connection and try again.',
    retryable: true,
  },
  {
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|SSL|TLS|EPROTO/,
    message: (host) => `No secure connection to ${host} could be made.`,
    hint: 'Its certificate is not trusted on this computer, or something in between replaces it. Check the base URL.',
  },
  {
    pattern: /ECONNREFUSED|CONNECTION_REFUSED/,
    message: (host) => `Nothing answers at ${host}.`,
    hint: 'Check that the program is running and that the base URL has the right port.',
  },
  {
    pattern: /TIMEOUT|TIMED_OUT|ETIMEDOUT/i,
    message: (host) => `${host} did not answer in time.`,
    hint: 'Try again; check the internet connection if it keeps happening.',
    retryable: true,
  },
];

const OTHER: Cause = {
  pattern: /(?:)/,
  message: (host) => `The connection to ${host} failed.`,
  hint: 'Check the internet connection and the base URL, then try again.',
  retryable: true,
};

/** A request that got no response, said in words, with the host by name. */
export function unreachable(host: string, source: unknown, apiKey: string | undefined): ModelError {
  const words = causesOf(source);
  const cause = CAUSES.find(({ pattern }) => pattern.test(words)) ?? OTHER;
  return new ModelError('unreachable', cause.message(host), {
    hint: cause.hint,
    details: redactKey(words, apiKey),
    retryable: cause.retryable ?? false,
  });
}

/** Codes and messages down the chain of causes; an AggregateError (one address after another) counts with all of its. */
function causesOf(source: unknown, depth = 0): string {
  if (!(source instanceof Error) || depth > 5) return source === undefined ? '' : String(source);
  const code = 'code' in source ? String(source.code) : '';
  const inner = source instanceof AggregateError ? source.errors : [source.cause];
  return [code, source.message, ...inner.map((cause) => causesOf(cause, depth + 1))].filter(Boolean).join(': ');
}
