import { app, BrowserWindow, clipboard, dialog, type OpenDialogOptions, shell } from 'electron';
import type { AppPaths } from '../platform/paths.ts';
import { openExternal } from '../platform/window/external-links.ts';
import { AppError } from '../services/ports/errors.ts';
import type { Desktop } from '../services/routers/app-router.ts';

export interface DesktopOptions {
  paths: AppPaths;
  secretStrength: Desktop['secretStrength'];
  chooseWeakSecrets: Desktop['chooseWeakSecrets'];
}

/** Opens a file or a folder in the system's program for it. Throws AppError `refused`. */
export async function openPath(path: string): Promise<void> {
  // Electron answers with a text, empty when all went well.
  const problem = await shell.openPath(path);
  if (problem) throw new AppError('refused', `It could not be opened: ${problem}`, { hint: `It is at ${path}` });
}

/** The desktop, as the renderer may use it. */
export const createDesktop = ({ paths, ...rest }: DesktopOptions): Desktop => ({
  ...rest,
  info: () => ({
    version: app.getVersion(),
    platform: process.platform,
    dataPath: paths.data,
    logsPath: paths.logs,
    samplePath: paths.sample,
  }),
  openFolder: (folder) => openPath(paths[folder]),
  openExternal,
  copyText: (text) => clipboard.writeText(text),
});

/** Asks for a folder; undefined when the person cancels. */
export async function chooseFolder(): Promise<string | undefined> {
  const [folder] = await askForFolders(['openDirectory']);
  return folder;
}

/** Asks for any number of folders; empty when the person cancels. */
export const chooseFolders = (): Promise<string[]> =>
  askForFolders(['openDirectory', 'multiSelections', 'createDirectory']);

/** The system's dialog, over the app's window where there is one. */
async function askForFolders(properties: OpenDialogOptions['properties']): Promise<string[]> {
  const [window] = BrowserWindow.getAllWindows();
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, { properties })
    : dialog.showOpenDialog({ properties }));
  return canceled ? [] : filePaths;
}
