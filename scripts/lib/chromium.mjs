import { findProgram, installSystemPackages } from './system-packages.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * Sees to it that there is a Chromium for the stand-in runtime. On a bare Debian one small font (1.8 MB) comes with it,
 * since none of Chromium's own dependencies can draw Chinese, Japanese or Korean; the good ones take 55 MB and stay out.
 */
export async function ensureChromium() {
  if (findProgram(NAMES)) return;
  await installSystemPackages(
    ['chromium', 'fonts-droid-fallback'],
    'The stand-in runtime shows its windows in Chromium, and there is none.',
  );
}
