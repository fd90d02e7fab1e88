import { shell } from 'electron';
import { isAllowedExternal } from './allowed-links.ts';

/** Opens a link in the system's own program; false when it is of a kind that is never opened. */
export async function openExternal(url: string): Promise<boolean> {
  if (!isAllowedExternal(url)) return false;
  await shell.openExternal(url);
  return true;
}
