import { join, normalize, sep } from 'node:path';

/** The file that a URL of the scheme names, or undefined where it names none inside `folder`. */
export function fileFor(folder: string, url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed?.host !== 'app') return undefined;
  let path: string;
  try {
    path = decodeURIComponent(parsed.pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0')) return undefined;
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  return file.startsWith(folder + sep) ? file : undefined;
}
