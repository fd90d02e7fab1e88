import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron';

/** Lets the person choose folders, over the app's window where there is one. Empty when they cancel. */
export async function chooseFolders(): Promise<string[]> {
  const [window] = BrowserWindow.getAllWindows();
  const options: OpenDialogOptions = { properties: ['openDirectory', 'multiSelections', 'createDirectory'] };
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options));
  return canceled ? [] : filePaths;
}
