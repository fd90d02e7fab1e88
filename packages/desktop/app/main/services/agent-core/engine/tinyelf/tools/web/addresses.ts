import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** All of IPv6 that has been given to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** An interface that claims a larger network stands for a way out, not for neighbours. */
const LEAST_PREFIX = { ipv4: 16, ipv6: 48 };

/**
 * Whether an address belongs to the public internet. This machine, local networks, addresses that stand for another one
 * (IPv4 within IPv6, NAT64, 6to4, Teredo), multicast and reserved ones don't; nor does what is no address. With IPv6, machines
 * of a local network have public addresses, and a router that keeps others away from them: what is in a network of this
 * machine's own counts as local too.
 *
 * @param ownNetworks of this machine's interfaces, as CIDR. Default: as they are now.
 */
export function isPublicAddress(address: string, ownNetworks: readonly string[] = currentNetworks()): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) return false;
  return !ownNetworks.some((network) => {
    const [base, prefix] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && prefix >= LEAST_PREFIX[base.kind()] && parsed.match([base, prefix]);
  });
}

const currentNetworks = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.flatMap(({ cidr }) => cidr ?? []));

/** The address that a URL's host is, without brackets; undefined for a name. URLs have decimal, octal and hex ones spelled out. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}
