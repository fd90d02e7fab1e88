/** `baseUrl` without slashes at its end, and with or without the version in its path, as an SDK wants it. */
export function withVersion(baseUrl: string, version: string): string {
  return `${withoutVersion(baseUrl, version)}/${version}`;
}

export function withoutVersion(baseUrl: string, version: string): string {
  const trimmed = baseUrl.trim().replace(/\/+$/, '');
  return trimmed.endsWith(`/${version}`) ? trimmed.slice(0, -version.length - 1) : trimmed;
}
