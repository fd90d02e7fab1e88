import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isPublicAddress, literalAddress } from './addresses.ts';

/** All addresses of a name, as the system knows them. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

const systemLookup: ResolveHost = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** A host that may not be connected to. The message is for the model. */
export class RefusedHost extends Error {
  constructor(host: string, address: string) {
    const leadsTo = host === address ? '' : ` (${host} leads there)`;
    super(`${address} is not on the public internet${leadsTo}. Local addresses are refused.`);
    this.name = 'RefusedHost';
  }
}

export interface GuardOptions {
  /** Names of hosts, as in URLs, that may lead anywhere. Read at every connection. */
  allowedHosts: ReadonlySet<string>;
  resolve?: ResolveHost;
  connectMs: number;
}

/**
 * The host of a URL of the web, as it is named there, when it is known to lead to something that isn't on the public internet
 * and isn't allowed by its name; undefined otherwise, also where nothing can be told. What is really connected to is checked
 * besides.
 */
export async function localHostOf(
  url: string,
  allowedHosts: ReadonlySet<string>,
  resolve: ResolveHost = systemLookup,
): Promise<string | undefined> {
  const parsed = URL.parse(url.trim());
  if (!parsed || !/^https?:$/.test(parsed.protocol) || allowedHosts.has(parsed.hostname)) return undefined;
  const literal = literalAddress(parsed.hostname);
  const addresses = literal ? [literal] : await resolve(parsed.hostname).then(addressesOf, () => []);
  return addresses.every((address) => isPublicAddress(address)) ? undefined : parsed.hostname;
}

const addressesOf = (found: LookupAddress[]): string[] => found.map(({ address }) => address);

/** Throws RefusedHost for an address in a URL: no name is looked up for it, so that nothing else would check it. */
export function checkLiteral(hostname: string, allowedHosts: ReadonlySet<string>): void {
  const address = literalAddress(hostname);
  if (address === undefined || allowedHosts.has(hostname) || isPublicAddress(address)) return;
  throw new RefusedHost(address, address);
}

/**
 * Connections that go only where they may. The looked-up address that is checked is the one that is connected to: nothing is
 * looked up again in between. Where one address of a name is refused, all are.
 */
export function guardedAgent({ allowedHosts, resolve = systemLookup, connectMs }: GuardOptions): Agent {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    const find = async (): Promise<LookupAddress[]> => {
      const addresses = await resolve(hostname);
      const refused = allowedHosts.has(hostname)
        ? undefined
        : addresses.find(({ address }) => !isPublicAddress(address));
      if (refused) throw new RefusedHost(hostname, refused.address);
      return addresses;
    };
    find().then(
      (addresses) => {
        const [first] = addresses;
        if (!first) callback(new Error(`${hostname} has no address.`), '');
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
  return new Agent({ connect: { lookup: guardedLookup, timeout: connectMs }, maxHeaderSize: 64 * 1024 });
}
