/**
 * How things are done on Windows. Everything here only builds arguments, so that it can be tested elsewhere; it has not been
 * run on Windows.
 */

/** Ends a process and all that descend from it, forcibly. */
export const taskkillArguments = (pid: number): string[] => ['/PID', String(pid), '/T', '/F'];

export interface WindowsStart {
  file: string;
  args: string[];
  /** The arguments are quoted already and must reach the program's command line as they are. */
  verbatim: boolean;
}

/**
 * How to start `command` without a shell string. Programs start as they are. Batch files (`npx.cmd`) can only be run by
 * cmd.exe; their arguments are quoted for the program and then escaped for cmd.exe, which reads a batch file's twice.
 * @param resolved the full path that the command was found at
 */
export function windowsStart(resolved: string, args: string[], comspec = 'cmd.exe'): WindowsStart {
  if (!/\.(cmd|bat)$/i.test(resolved)) return { file: resolved, args, verbatim: false };
  const line = [escapeForCmd(resolved), ...args.map((arg) => escapeForCmd(escapeForCmd(quoteArgument(arg))))].join(' ');
  return { file: comspec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Quotes one argument by the rules of the Microsoft C runtime: backslashes count only in front of a quote. */
function quoteArgument(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

const escapeForCmd = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');

/** The names to try for `command` in each folder of PATH, in order. */
export function windowsCandidates(command: string, pathExt = '.COM;.EXE;.BAT;.CMD'): string[] {
  const extensions = pathExt.split(';').filter(Boolean);
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  // Without one of these extensions a file isn't a program here, even if it exists (npm puts a shell script beside npx.cmd).
  return hasExtension ? [command] : extensions.map((extension) => command + extension);
}
