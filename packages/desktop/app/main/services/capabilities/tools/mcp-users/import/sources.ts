import { posix, win32 } from 'node:path';

/**
 * Where other programs keep their servers. From each program's documentation, and from what people found where that is
 * silent or wrong:
 *
 * - Claude Desktop: modelcontextprotocol.io/docs/develop/connect-local-servers (macOS, Windows); on Windows the packaged
 *   build reads a path of its own instead: github.com/anthropics/claude-code/issues/25579; ~/.config/Claude is where
 *   Electron puts it on Linux.
 * - Claude Code: code.claude.com/docs/en/mcp (scopes: user and local in ~/.claude.json, project in .mcp.json);
 *   CLAUDE_CONFIG_DIR moves it.
 * - Cursor: cursor.com/docs/mcp (~/.cursor/mcp.json, .cursor/mcp.json).
 * - VS Code: code.visualstudio.com/docs/copilot/reference/mcp-configuration (mcp.json of the user and of the workspace;
 *   before that `mcp` in settings.json).
 * - Windsurf: docs.windsurf.com/windsurf/cascade/mcp (~/.codeium/windsurf/mcp_config.json, newer ~/.codeium/mcp_config.json).
 * - Gemini CLI: geminicli.com/docs/tools/mcp-server (~/.gemini/settings.json, .gemini/settings.json).
 * - LM Studio: lmstudio.ai/docs/app/mcp; some installations: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1371.
 */
export interface Program {
  name: string;
  files: readonly FileOf[];
  /** Files within a project's folder, in the syntax of POSIX. */
  projectFiles?: readonly Omit<FileOf, 'base'>[];
  /** How it writes a variable of the environment, where that isn't `${env:NAME}`: `${NAME}`, or also `$NAME`. */
  variables?: 'braces' | 'dollar';
}

interface FileOf {
  /**
   * `home`; `config`: ~/.config, ~/Library/Application Support or %APPDATA%; `packages`: %LOCALAPPDATA%\Packages, on
   * Windows only; `claude`: CLAUDE_CONFIG_DIR, or the home folder.
   */
  base: 'home' | 'config' | 'packages' | 'claude';
  path: string;
  /** `settings` holds other things too: that there are no servers in it says nothing. `claude-code` has projects as well. */
  kind: 'servers' | 'settings' | 'claude-code';
}

const vsCode = (folder: string): FileOf[] => [
  { base: 'config', path: `${folder}/User/mcp.json`, kind: 'servers' },
  { base: 'config', path: `${folder}/User/settings.json`, kind: 'settings' },
];

export const PROGRAMS: readonly Program[] = [
  {
    name: 'Claude Desktop',
    files: [
      { base: 'config', path: 'Claude/claude_desktop_config.json', kind: 'settings' },
      {
        base: 'packages',
        path: 'Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json',
        kind: 'settings',
      },
    ],
  },
  {
    name: 'Claude Code',
    files: [{ base: 'claude', path: '.claude.json', kind: 'claude-code' }],
    projectFiles: [{ path: '.mcp.json', kind: 'servers' }],
    variables: 'braces',
  },
  {
    name: 'Cursor',
    files: [{ base: 'home', path: '.cursor/mcp.json', kind: 'servers' }],
    projectFiles: [{ path: '.cursor/mcp.json', kind: 'servers' }],
  },
  {
    name: 'VS Code',
    files: [...vsCode('Code'), ...vsCode('Code - Insiders')],
    projectFiles: [
      { path: '.vscode/mcp.json', kind: 'servers' },
      { path: '.vscode/settings.json', kind: 'settings' },
    ],
  },
  {
    name: 'Windsurf',
    files: [
      { base: 'home', path: '.codeium/windsurf/mcp_config.json', kind: 'servers' },
      { base: 'home', path: '.codeium/mcp_config.json', kind: 'servers' },
    ],
  },
  {
    name: 'Gemini CLI',
    files: [{ base: 'home', path: '.gemini/settings.json', kind: 'settings' }],
    projectFiles: [{ path: '.gemini/settings.json', kind: 'settings' }],
    variables: 'dollar',
  },
  {
    name: 'LM Studio',
    files: [
      { base: 'home', path: '.lmstudio/mcp.json', kind: 'servers' },
      { base: 'home', path: '.cache/lm-studio/mcp.json', kind: 'servers' },
    ],
  },
];

/** Folders in which editors note the folders that they had open: one folder each, with a `workspace.json`. */
const WORKSPACE_FOLDERS = ['Code', 'Code - Insiders', 'Cursor'].map((name) => `${name}/User/workspaceStorage`);

/** The machine that is looked through. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface SourceFile {
  program: string;
  path: string;
  kind: FileOf['kind'];
  project?: string;
  variables?: Program['variables'];
}

/** The files that belong to the person. */
export function personalFiles(machine: Machine): SourceFile[] {
  return PROGRAMS.flatMap(({ name, files, variables }) =>
    files.flatMap(({ base, path, kind }) => {
      const folder = folderOf(base, machine);
      return folder === undefined ? [] : [{ program: name, path: inFolder(machine, folder, path), kind, variables }];
    }),
  );
}

/** The files that belong to a project. */
export const projectFiles = (machine: Machine, project: string): SourceFile[] =>
  PROGRAMS.flatMap(({ name, projectFiles = [], variables }) =>
    projectFiles.map(({ path, kind }) => ({
      program: name,
      path: inFolder(machine, project, path),
      kind,
      project,
      variables,
    })),
  );

export const workspaceFolders = (machine: Machine): string[] =>
  WORKSPACE_FOLDERS.map((path) => inFolder(machine, folderOf('config', machine) ?? machine.home, path));

/** Joins by the rules of the machine that is looked through. */
export const inFolder = ({ platform }: Machine, folder: string, path: string): string =>
  (platform === 'win32' ? win32 : posix).join(folder, path);

function folderOf(base: FileOf['base'], machine: Machine): string | undefined {
  const { platform, home, env } = machine;
  if (base === 'claude') return env.CLAUDE_CONFIG_DIR || home;
  if (base === 'packages') {
    if (platform !== 'win32') return undefined;
    return inFolder(machine, env.LOCALAPPDATA || inFolder(machine, home, 'AppData/Local'), 'Packages');
  }
  if (base === 'home') return home;
  if (platform === 'win32') return env.APPDATA || inFolder(machine, home, 'AppData/Roaming');
  if (platform === 'darwin') return inFolder(machine, home, 'Library/Application Support');
  return env.XDG_CONFIG_HOME || inFolder(machine, home, '.config');
}
