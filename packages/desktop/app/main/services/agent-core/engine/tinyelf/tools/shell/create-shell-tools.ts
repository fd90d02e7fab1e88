import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { ManagedProcess, ProcessPort } from '../../../../../ports/processes.ts';
import type { Workspace } from '../../workspace.ts';
import { CALL_LIMIT_MS } from '../call-limit.ts';
import type { ITool, ToolContext } from '../ITool.ts';
import { parametersOf, readParameters } from '../parameters.ts';
import { BoundedText } from './BoundedText.ts';
import { readOutput } from './read-output.ts';
import { type SystemShell, systemShell } from './system-shell.ts';

const SHELL_MAX_CHARS = 50_000;
const PROGRESS_EVERY_MS = 250;
const PROGRESS_CHARS = 200;

export interface ShellToolsOptions {
  workspace: Workspace;
  processes: ProcessPort;
  /** Default: this system's. */
  platform?: NodeJS.Platform;
}

const parameters = z.strictObject({
  // Run as it was checked, to the character.
  command: z.string().regex(/\S/).max(100_000).describe('The command line.'),
  timeout_ms: z
    .number()
    .int()
    .min(1)
    .max(CALL_LIMIT_MS)
    .default(CALL_LIMIT_MS)
    .describe('Milliseconds until the command is stopped.'),
  description: z
    .string()
    .max(500)
    .optional()
    .describe('What the command does, in a few words, for the person who is asked.'),
});

/**
 * Bash: a command line, run in the workspace by the system's shell. It ends with everything that it has started, at its time
 * limit, or when the run is stopped. The result begins with `Exit code 0`, or with `Error:` and how it ended.
 */
export function createShellTools({ workspace, processes, platform = process.platform }: ShellToolsOptions): ITool[] {
  const shell = systemShell(platform);
  return [
    {
      name: 'Bash',
      description: [
        `Runs a command in the workspace by ${shell.name} and returns its exit code and output.`,
        'Each call begins anew in the workspace folder: cd and variables don’t last. There is no input, so nothing can be asked.',
        `It is stopped after ${CALL_LIMIT_MS / 1000} s at most, and whatever it leaves in the background is stopped when it ends.`,
        `Of longer output the first and the last ${(SHELL_MAX_CHARS / 2).toLocaleString('en')} characters are kept.`,
      ].join(' '),
      parameters: parametersOf(parameters),
      risk: 'asks',
      access: ({ command }) => (typeof command === 'string' ? { command } : {}),
      async execute(params, context = {}) {
        const read = readParameters(parameters, params);
        if (!read.ok) return read.problem;
        const { command, timeout_ms } = read.value;
        context.signal?.throwIfAborted();
        let started: ManagedProcess;
        try {
          started = await startShell(processes, shell, command, workspace.root);
        } catch (error) {
          return `Error: ${error instanceof Error ? error.message : String(error)}`;
        }
        return await attend(started, timeout_ms, context);
      },
    },
  ];
}

async function startShell(processes: ProcessPort, shell: SystemShell, command: string, cwd: string) {
  const start = (program: string) =>
    processes.start({ command: program, args: shell.args(command), cwd, env: shell.env });
  const [best = '', ...others] = shell.candidates;
  let attempt = start(best);
  for (const other of others) {
    attempt = attempt.catch((error) => {
      if (error?.code === 'command-missing') return start(other);
      throw error;
    });
  }
  return await attempt;
}

/** Reads what a command writes until nothing of it is left. */
async function attend(tree: ManagedProcess, limitMs: number, { signal, onProgress }: ToolContext): Promise<string> {
  // A shell that is gone already leaves an input that can't be ended.
  tree.stdin.on('error', () => {});
  tree.stdin.end();
  const output = new BoundedText(SHELL_MAX_CHARS);
  const progress = onProgress && throttledProgress(onProgress);
  const onText = (text: string) => {
    output.add(text);
    progress?.note(output);
  };
  let isLate = false;
  const stop = () => void tree.stop();
  const limit = setTimeout(() => {
    isLate = true;
    stop();
  }, limitMs);
  signal?.addEventListener('abort', stop, { once: true });
  // While it was being started, nobody listened.
  if (signal?.aborted) stop();
  try {
    const [{ code, signal: endedBy }, leftBehind] = await Promise.all([
      tree.exited,
      tree.gone,
      readOutput(tree.stdout, onText),
      readOutput(tree.stderr, onText),
    ]);
    signal?.throwIfAborted();
    const ending = isLate
      ? `Error: Stopped after ${limitMs / 1000} s, the time limit.`
      : endedBy !== null
        ? `Error: Ended by ${endedBy}.`
        : code === 0
          ? 'Exit code 0'
          : `Error: Exit code ${code}`;
    const note =
      leftBehind > 0 ? `\n[What it left running in the background (${processCount(leftBehind)}) was stopped.]` : '';
    return `${ending}\n${stripVTControlCharacters(output.text()) || '(no output)'}${note}`;
  } finally {
    clearTimeout(limit);
    progress?.end();
    signal?.removeEventListener('abort', stop);
  }
}

const processCount = (count: number) => (count === 1 ? '1 process' : `${count} processes`);

/** Tells the last line of the output, four times a second at most. */
function throttledProgress(onProgress: NonNullable<ToolContext['onProgress']>) {
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    note(output: BoundedText) {
      timer ??= setTimeout(() => {
        timer = undefined;
        const message = stripVTControlCharacters(output.lastLine(PROGRESS_CHARS));
        if (message !== '') onProgress({ progress: ++count, message });
      }, PROGRESS_EVERY_MS);
    },
    end: () => clearTimeout(timer),
  };
}
