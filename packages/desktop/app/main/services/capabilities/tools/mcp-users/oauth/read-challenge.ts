/** What a refusal says of how to get in: the parameters of `WWW-Authenticate` that matter here. */
export interface RefusalParameters {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
}

/** A parameter in any of the ways in which servers write one, or else a word, which begins the challenge of another scheme. */
const PART = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s,"']+))|([A-Za-z][\w-]*)(?=[\s,]|$)/g;

/**
 * Reads the Bearer challenge of a refusal, wherever among others it stands. A parameter counts as it is given first; quotation
 * marks and blanks around `=` are taken as they come.
 * @param requestUrl what a relative address is relative to
 */
export function readChallenge(response: Response, requestUrl: string | URL): RefusalParameters {
  const parameters = new Map<string, string>();
  let scheme: string | undefined;
  for (const [, name, quoted, single, bare, word] of (response.headers.get('www-authenticate') ?? '').matchAll(PART)) {
    if (word !== undefined) scheme = word.toLowerCase();
    if (name === undefined || !(scheme === undefined || scheme === 'bearer' || scheme === 'dpop')) continue;
    const value = (quoted?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '').trim();
    const key = name.toLowerCase();
    if (value !== '' && !parameters.has(key)) parameters.set(key, value);
  }
  const address = parameters.get('resource_metadata');
  return {
    resourceMetadataUrl: (address !== undefined && URL.parse(address, requestUrl)) || undefined,
    scope: parameters.get('scope'),
    error: parameters.get('error'),
  };
}
