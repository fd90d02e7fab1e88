import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, dialog } from 'electron';
import type { ExportPlaces } from '../services/capabilities/tools/mcp-users/import/McpImport.ts';
import { AppError } from '../services/ports/errors.ts';

/** A file that the system's dialog asks for, or the clipboard. */
export const exportPlaces: ExportPlaces = {
  async saveFile(suggestedName, text) {
    const options = {
      defaultPath: join(app.getPath('documents'), suggestedName),
      filters: [{ name: 'JSON', extensions: ['json'] }],
    };
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options));
    if (canceled || !filePath) return undefined;
    try {
      await writeFile(filePath, text, { mode: 0o600 });
      // The mode counts for new files only.
      await chmod(filePath, 0o600);
      return filePath;
    } catch (error) {
      throw new AppError('write-failed', `The file could not be written: ${filePath}`, {
        hint: 'Choose another folder.',
        details: String(error),
      });
    }
  },
  copyText: async (text) => clipboard.writeText(text),
};
