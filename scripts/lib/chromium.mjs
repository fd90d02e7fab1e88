import { existsSync } from 'node:fs';
import { findProgram, installSystemPackages } from './system-packages.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Finds a Chromium for the stand-in runtime: CHROMIUM_PATH, or one on the PATH, or Debian's once it is installed. On a bare
 * Debian one small font (1.8 MB) comes with it, since none of Chromium's own dependencies can draw Chinese, Japanese or
 * Korean; the good ones take 55 MB and stay out.
 *
 * @returns {Promise<string>} its path
 */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && existsSync(chosen)) return chosen;
  const found = findProgram(NAMES);
  if (found) return found;
  await installSystemPackages(
    ['chromium', 'fonts-droid-fallback'],
    'The stand-in runtime shows its windows in Chromium, and there is none.',
  );
  return findProgram(NAMES);
}
