import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AppEvent } from '@shared/contracts/index.ts';
import type { ToolDisplay } from '@shared/contracts/message-types.ts';
import { FileChanges } from '../../changes/FileChanges.ts';
import { Workspace } from '../../workspace.ts';
import { createFileTools, type FileToolsOptions } from './index.ts';

/** A workspace in a temporary folder, its tools and its journal; gone when the test is over. */
export async function testRun(options: Partial<FileToolsOptions> & { root?: string; maxBytes?: number } = {}) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'file-tools-')));
  const root = options.root ?? path.join(folder, 'work');
  await mkdir(root, { recursive: true });
  const events: AppEvent[] = [];
  const displays: ToolDisplay[] = [];
  const openJournal = () =>
    new FileChanges({
      folder: path.join(folder, 'changes'),
      events: { emit: (event) => events.push(event) },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      maxBytes: options.maxBytes,
    });
  const changes = openJournal();
  const workspace = await Workspace.open(root);
  const tools = createFileTools({ workspace, changes, conversationId: 'run', ...options });
  const toolOf = (name: string) => tools.find((tool) => tool.name === name)!;
  const at = (name: string) => path.join(root, name);
  return {
    folder,
    root,
    workspace,
    changes,
    openJournal,
    events,
    displays,
    tools,
    at,
    put: async (name: string, content: string | Uint8Array) => {
      await mkdir(path.dirname(at(name)), { recursive: true });
      await writeFile(at(name), content);
    },
    get: (name: string) => readFile(at(name), 'utf8'),
    bytes: (name: string) => readFile(at(name)),
    call: (name: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<string> =>
      toolOf(name).execute(params, { signal, callId: 'call', onDisplay: (display) => displays.push(display) }),
    preview: async (name: string, params: Record<string, unknown>) => toolOf(name).preview?.(params),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export const makePipe = (file: string): void => {
  execFileSync('mkfifo', [file]);
};
