import { accessSync, constants, mkdirSync } from 'node:fs';

/** Why the app can't keep its data in this folder, for the person; undefined when it can. Makes the folder when missing. */
export function problemOfDataFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return `The data folder ${folder} can't be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}
