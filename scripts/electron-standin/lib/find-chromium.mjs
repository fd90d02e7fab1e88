import fs from 'node:fs';
import path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
/** The same engine without the browser around it: it can't show a window, and starts at half the cost. */
const HEADLESS_SHELL = 'chromium-headless-shell';
/** Where Debian has the program itself; what it puts on the PATH is a script, which would be a process of its own. */
const DEBIAN = '/usr/lib/chromium';

/** Whether a Chromium is a headless shell, by any of the names that it goes by. @param {string} executable */
export const isHeadlessShell = (executable) => /headless[-_]shell/.test(path.basename(fs.realpathSync(executable)));

/**
 * @param {boolean} headed whether its windows are to be seen
 * @returns {string | undefined} the path of a Chromium: CHROMIUM_PATH, else the first that is on the PATH
 * @throws {Error} when CHROMIUM_PATH names no file
 */
export function findChromium(headed) {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH && !fs.existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH names no file: ${CHROMIUM_PATH}`);
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const folders = [...PATH.split(':').filter(Boolean), '/usr/bin'];
  const find = (/** @type {string} */ name) => folders.map((folder) => path.join(folder, name)).find(fs.existsSync);
  const shells = headed ? [] : [path.join(DEBIAN, HEADLESS_SHELL), find(HEADLESS_SHELL)];
  return [...shells, ...NAMES.map(find)].find((file) => file !== undefined && fs.existsSync(file));
}
