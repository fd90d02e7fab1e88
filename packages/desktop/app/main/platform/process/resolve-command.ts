import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.ts';
import { windowsCandidates } from './windows.ts';

type Environment = Record<string, string | undefined>;

/** A variable whose name is written in any case on Windows, in one case elsewhere. */
export function variable(env: Environment, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return env[name];
  const key = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws StartError `folder-missing` when `folder` is not there or not a folder: the system would blame the command. */
export function checkFolder(folder: string): void {
  let found: ReturnType<typeof statSync>;
  try {
    found = statSync(folder);
  } catch {
    throw new StartError('folder-missing', `The working folder “${folder}” does not exist.`);
  }
  if (!found.isDirectory()) throw new StartError('folder-missing', `The working folder “${folder}” is not a folder.`);
}

/** As much of a script as the system looks at for the program that runs it. */
const FIRST_LINE_BYTES = 256;

/**
 * Throws StartError `command-missing` when `file` is a script whose first line names a program that is not there: the system
 * says of that only that something is missing. Nothing is known of a script that may be run but not read.
 */
export function checkInterpreter(command: string, file: string): void {
  // To the system, a line end of Windows is part of the name.
  const interpreter = /^#![ \t]*([^ \t\n\0]+)/.exec(readStart(file))?.[1];
  if (interpreter === undefined || existsSync(interpreter)) return;
  const name = interpreter.replace('\r', '\\r');
  const lineEnds =
    name === interpreter ? '' : ' Its lines end as those of Windows do: save it with the line ends of Unix.';
  throw new StartError('command-missing', `The command “${command}” needs “${name}”, which does not exist.`, {
    details: `The first line of ${file} names it.${lineEnds}`,
  });
}

/** Empty where it can't be read. */
function readStart(file: string): string {
  try {
    const start = Buffer.alloc(FIRST_LINE_BYTES);
    const descriptor = openSync(file, 'r');
    try {
      return start.toString('utf8', 0, readSync(descriptor, start));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

/**
 * The full path of a command: looked for in the PATH of `env` when it is a bare name, otherwise relative to `cwd`. On Windows
 * the extensions of PATHEXT are tried.
 * @throws StartError `command-missing` (its details name the PATH that was searched) or `not-executable`.
 */
export function resolveCommand(
  command: string,
  env: Environment,
  cwd: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const { delimiter, resolve } = platform === 'win32' ? path.win32 : path.posix;
  const isPath = platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
  const names = platform === 'win32' ? windowsCandidates(command, variable(env, 'PATHEXT', platform)) : [command];
  const searched = variable(env, 'PATH', platform) ?? '';
  // Some write folders of PATH in quotes, which Windows overlooks.
  const bare = (folder: string) => (platform === 'win32' ? folder.replaceAll('"', '') : folder);
  const folders = isPath ? [''] : searched.split(delimiter).map(bare).filter(Boolean);
  const candidates = folders.flatMap((folder) => names.map((name) => resolve(cwd, folder, name)));

  const found = candidates.filter(isFile);
  const usable = platform === 'win32' ? found[0] : found.find(isExecutable);
  if (usable !== undefined) return usable;
  if (found[0] !== undefined) {
    throw new StartError('not-executable', `The command “${command}” was found but may not be run.`, {
      details: found[0],
    });
  }
  throw new StartError(
    'command-missing',
    isPath ? `The command “${command}” does not exist.` : `The command “${command}” was not found.`,
    { details: isPath ? undefined : `Searched PATH: ${searched || '(empty)'}` },
  );
}
