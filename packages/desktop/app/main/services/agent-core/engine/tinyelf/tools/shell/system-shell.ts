import { SET_LIMIT } from '../../../../../ports/processes.ts';

/** A program that runs a command line. */
export interface SystemShell {
  /** What models know it as. */
  name: string;
  /** The programs to try, the best first. */
  candidates: string[];
  args(command: string): string[];
  env: Record<string, string>;
}

/** Nobody is there to turn pages, to see colours or to type a password. */
const UNATTENDED = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };

const POSIX: SystemShell = {
  name: 'bash (or sh where there is none)',
  candidates: ['bash', 'sh'],
  // One pipe for both outputs keeps them in the order in which they were written. On the same line, so that line numbers in
  // the shell's messages are the command's own.
  args: (command) => ['-c', `${SET_LIMIT}; exec 2>&1; ${command}`],
  // A bash that no other shell has started, with a socket as its input, takes itself for a remote login and reads ~/.bashrc.
  env: { ...UNATTENDED, SHLVL: '1' },
};

const UTF8_OUTPUT = '[Console]::OutputEncoding = [Text.Encoding]::UTF8';
/** By itself PowerShell tells only whether the last command failed, not the code of the program. */
const EXIT_CODE = 'if (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }';

const WINDOWS: SystemShell = {
  name: 'PowerShell',
  candidates: ['pwsh', 'powershell'],
  args: (command) => [
    '-NoLogo',
    '-NoProfile',
    '-NonInteractive',
    // In base64, nothing of the command is read twice by whoever takes command lines apart.
    '-EncodedCommand',
    Buffer.from(`${UTF8_OUTPUT}\n${command}\n${EXIT_CODE}`, 'utf16le').toString('base64'),
  ],
  env: UNATTENDED,
};

/** The system's shell. That of Windows has not been run there. */
export const systemShell = (platform: NodeJS.Platform): SystemShell => (platform === 'win32' ? WINDOWS : POSIX);
