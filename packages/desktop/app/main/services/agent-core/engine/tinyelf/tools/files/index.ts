import type { FileChanges } from '../../changes/FileChanges.ts';
import type { Workspace } from '../../workspace.ts';
import type { ITool } from '../ITool.ts';
import { editTool } from './edit.ts';
import type { FileToolsDeps, Judge } from './file-tool.ts';
import { FileVersions } from './file-versions.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listDirTool } from './list-dir.ts';
import { readTool } from './read.ts';
import { writeTool } from './write.ts';

export { FileVersions };

export interface FileToolsOptions {
  workspace: Workspace;
  changes: Pick<FileChanges, 'record'>;
  conversationId: string;
  /** What the model has read. Keep one as long as the conversation is worked on; default: a new one. */
  versions?: FileVersions;
  /** Default: everything is allowed. */
  judge?: Judge;
  /** Of Glob and Grep, in milliseconds. Default 20,000. */
  searchLimitMs?: number;
}

/** Read, Write, Edit, ListDir, Glob and Grep of one run. */
export function createFileTools(options: FileToolsOptions): ITool[] {
  const deps: FileToolsDeps = {
    ...options,
    versions: options.versions ?? new FileVersions(),
    judge: options.judge ?? (() => 'allow'),
    searchLimitMs: options.searchLimitMs ?? 20_000,
  };
  return [readTool, writeTool, editTool, listDirTool, globTool, grepTool].map((make) => make(deps));
}
