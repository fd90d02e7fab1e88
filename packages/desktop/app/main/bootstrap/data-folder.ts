import { accessSync, constants, mkdirSync } from 'node:fs';
import { fill, texts } from '../platform/texts.ts';

/** Why the app can't keep its data in this folder, for the person; undefined when it can. Makes the folder when missing. */
export function problemOfDataFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fill(texts.start.folder, { folder, reason });
  }
}
