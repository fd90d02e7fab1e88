/** `baseUrl` without slashes at its end and without the version in its path, for an SDK that puts the version there itself. */
export function withoutVersion(baseUrl: string, version: string): string {
  const trimmed = baseUrl.trim().replace(/\/+$/, '');
  return trimmed.endsWith(`/${version}`) ? trimmed.slice(0, -version.length - 1) : trimmed;
}
