import { shell } from 'electron';
import { allowedExternal } from './allowed-links.ts';

/** Opens a link in the system's own program; false when it is of a kind that is never opened. */
export async function openExternal(url: string): Promise<boolean> {
  const allowed = allowedExternal(url);
  if (allowed === undefined) return false;
  await shell.openExternal(allowed);
  return true;
}
