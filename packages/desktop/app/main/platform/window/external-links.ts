import { shell } from 'electron';

const ALLOWED_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Whether a link may be handed to the system: http, https and mailto only. */
export function isAllowedExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ALLOWED_PROTOCOLS.has(parsed.protocol);
}

/** Opens a link in the system's own program; false when it is of a kind that is never opened. */
export async function openExternal(url: string): Promise<boolean> {
  if (!isAllowedExternal(url)) return false;
  await shell.openExternal(url);
  return true;
}
