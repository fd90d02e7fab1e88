import ipaddr from 'ipaddr.js';

/** An old form of IPv4 within IPv6. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/**
 * Whether an address belongs to the public internet. This machine, local networks, addresses that stand for another one
 * (IPv4 within IPv6, NAT64, 6to4, Teredo), multicast and reserved ones don't; nor does what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE)) return false;
  return parsed.range() === 'unicast';
}

/** The address that a URL's host is, without brackets; undefined for a name. URLs have decimal, octal and hex ones spelled out. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}
