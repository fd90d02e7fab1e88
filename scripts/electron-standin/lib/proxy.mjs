/**
 * @param {string} name
 * @returns {string | undefined} in either case, the lower one first, as curl reads it
 */
const variable = (name) => process.env[name.toLowerCase()] || process.env[name] || undefined;

/**
 * @param {string} address
 * @returns {string | null} the proxy that the environment asks for, null for a direct connection
 */
export function proxyFor(address) {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  const proxy = variable(protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? variable('ALL_PROXY');
  if (!proxy || !/^(https?|wss?):$/.test(protocol)) return null;
  const exempt = (variable('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  const matches = exempt.some((entry) => {
    if (entry === '*') return true;
    const [, host, entryPort] = /^\*?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    if (entryPort && entryPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
    return host.startsWith('.') ? hostname.endsWith(host) || hostname === host.slice(1) : hostname === host;
  });
  return matches ? null : proxy;
}
