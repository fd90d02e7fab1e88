import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { BuiltinName } from '@shared/contracts/mcp-builtin.contract.ts';
import type { BuiltinOptions, McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';

export interface BuiltinPlaces {
  /** The app's own runtime, which runs scripts as Node does. */
  runtime: string;
  /** The script of a package's server. */
  scriptOf: (packageName: string) => string;
  sampleFolder: string;
  /** The app's data folder, in which nothing but the memory's file is given to a server. */
  dataFolder: string;
  memoryFile: string;
}

const FILESYSTEM = '@modelcontextprotocol/server-filesystem';
const MEMORY = '@modelcontextprotocol/server-memory';

/**
 * How a server that comes with the app is started; undefined for one that this version doesn't have.
 * @throws AppError `invalid-config` when none of its folders is there
 */
export function builtinConfig(
  builtin: string,
  { folders = [] }: BuiltinOptions,
  places: BuiltinPlaces,
): McpServerConfig | undefined {
  const run = (
    packageName: string,
    args: string[],
    cwd: string,
    env: Record<string, string> = {},
  ): McpServerConfig => ({
    command: places.runtime,
    args: [places.scriptOf(packageName), ...args],
    cwd,
    env: { ELECTRON_RUN_AS_NODE: '1', ...env },
  });
  switch (builtin as BuiltinName) {
    case 'files':
      return run(FILESYSTEM, [places.sampleFolder], places.sampleFolder);
    case 'folders': {
      const [first] = folders.filter(isFolder);
      if (first === undefined) throw missing(folders);
      // One that is missing, on a drive that isn't there, is for the server to leave out; it says so in its log.
      return run(FILESYSTEM, folders, first);
    }
    case 'memory':
      return run(MEMORY, [], places.dataFolder, { MEMORY_FILE_PATH: places.memoryFile });
    default:
      return undefined;
  }
}

/**
 * The options as they are stored: each folder once. Throws AppError `invalid-config` that names what is wrong.
 */
export function checkBuiltinOptions(builtin: BuiltinName, { folders }: BuiltinOptions): BuiltinOptions | undefined {
  if (builtin !== 'folders') {
    if (folders) throw new AppError('invalid-config', 'This server takes no folders.');
    return undefined;
  }
  if (!folders) throw new AppError('invalid-config', 'No folder was chosen.', { hint: 'Choose one or more.' });
  const wrong = folders.find((folder) => !isAbsolute(folder) || folder.includes('\0') || !isFolder(folder));
  if (wrong !== undefined) throw missing([wrong]);
  return { folders: [...new Set(folders)] };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const missing = (folders: readonly string[]): AppError =>
  new AppError(
    'invalid-config',
    folders.length === 1 ? `There is no folder “${folders[0]}”.` : 'None of its folders is there.',
    { hint: 'Was it moved, renamed or on another drive?', ...(folders.length > 1 && { details: folders.join('\n') }) },
  );
