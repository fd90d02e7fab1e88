type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chromium's switches for the proxies that the environment names; empty when it names none, so that the system's own count.
 * Chromium reads the environment by itself only on Linux, and there only where the desktop has no setting.
 */
export function proxySwitches(env: Environment): Record<string, string> {
  // The lower case counts first, as with curl.
  const variable = (name: string) => (env[name.toLowerCase()] || env[name.toUpperCase()])?.trim() || undefined;
  const all = variable('all_proxy');
  const rules = (['http', 'https'] as const).flatMap((scheme) => {
    const proxy = proxyServer(variable(`${scheme}_proxy`) ?? all);
    return proxy === undefined ? [] : [`${scheme}=${proxy}`];
  });
  if (rules.length === 0) return {};
  const exempt = (variable('no_proxy') ?? '').split(/[\s,;]+/).filter(Boolean);
  if (exempt.includes('*')) return { 'no-proxy-server': '' };
  const bypass = exempt.flatMap(bypassRules).join(';');
  return { 'proxy-server': rules.join(';'), ...(bypass && { 'proxy-bypass-list': bypass }) };
}

/** `scheme://host:port` as Chromium reads it, which has no place for a user and a password. */
function proxyServer(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url?.hostname) return undefined;
  const scheme = url.protocol.slice(0, -1).replace(/^socks5h$/, 'socks5');
  if (!['http', 'https', 'socks4', 'socks5', 'socks'].includes(scheme)) return undefined;
  const port = url.port || { http: '80', https: '443' }[scheme] || '1080';
  return `${scheme}://${url.hostname}:${port}`;
}

/** A name in NO_PROXY stands for its subdomains too. */
function bypassRules(entry: string): string[] {
  const name = entry.replace(/^\*?\./, '');
  const isAddress = /^[\d.]+(?::\d+)?$/.test(name) || /[[\]/]/.test(name);
  return isAddress ? [name] : [name, `*.${name}`];
}
