import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** A path below the root. */
export const inRoot = (...parts) => join(ROOT, ...parts);

/** A path in the folder for what the scripts remember between runs; not in version control. */
export const inCache = (...parts) => inRoot('.cache', ...parts);
