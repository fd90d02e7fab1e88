import { findChromium } from '../electron-standin/lib/find-chromium.mjs';
import { SetupError } from './failure.mjs';
import { installSystemPackages } from './system-packages.mjs';

/**
 * Makes sure that the stand-in runtime finds a Chromium: CHROMIUM_PATH, or one on the PATH, or Debian's once it is installed.
 * With that come its headless shell, which starts at half the cost where nobody looks at the windows, and one small font
 * (1.8 MB), since on a bare Debian none of Chromium's own dependencies can draw Chinese, Japanese or Korean; the good ones
 * take 55 MB and stay out.
 */
export async function ensureChromium() {
  try {
    if (findChromium(true)) return;
  } catch (error) {
    throw new SetupError(error.message);
  }
  await installSystemPackages(
    ['chromium', 'chromium-headless-shell', 'fonts-droid-fallback'],
    'The stand-in runtime shows its windows in Chromium, and there is none.',
  );
}
