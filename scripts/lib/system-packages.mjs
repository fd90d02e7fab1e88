import { existsSync, readFileSync } from 'node:fs';
import { SetupError } from './failure.mjs';
import { step } from './progress.mjs';
import { run } from './run.mjs';

const LOCK_WAIT_S = 300;

/** `debian`, `ubuntu`, …: the ID of this Linux, or undefined. */
function linuxId() {
  try {
    return /^ID="?([^"\n]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** The first of `names` that is a program on the PATH, as a full path; undefined when none is. */
export function findProgram(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      if (folder && existsSync(`${folder}/${name}`)) return `${folder}/${name}`;
    }
  }
  return undefined;
}

/**
 * Installs Debian packages when this is Debian and we are root; otherwise stops and says what to install.
 *
 * @param {string[]} packages
 * @param {string} purpose completes "… is missing: "
 */
export async function installSystemPackages(packages, purpose) {
  const isDebianRoot = linuxId() === 'debian' && process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined;
  if (!isDebianRoot) throw new SetupError(`${purpose}\n\n${advice(packages)}\n\nThen run the same command again.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await step(`Installing ${packages.join(', ')} (Debian packages, once)`, async (detail) => {
    const onOutput = (text) => detail(text.trim().split('\n').at(-1).slice(0, 80));
    // A failed update need not matter: the lists may be recent enough.
    await run('apt-get', ['update'], { env, onOutput });
    // Another installation on this machine, the nightly one say, may hold the lock.
    const wait = ['-o', `DPkg::Lock::Timeout=${LOCK_WAIT_S}`];
    const args = [...wait, 'install', '-y', '--no-install-recommends', ...packages];
    const result = await run('apt-get', args, { env, onOutput });
    if (result.code !== 0) {
      const end = result.output.trim().split('\n').slice(-12).join('\n');
      throw new SetupError(`${purpose}\napt-get could not install ${packages.join(', ')}:\n\n${end}`);
    }
  });
}

function advice(packages) {
  const id = linuxId();
  if (id === 'debian') return `Install as root:  apt-get install ${packages.join(' ')}`;
  const chromium = packages.includes('chromium');
  if (id === 'ubuntu' && chromium) {
    // Ubuntu's package of that name is a snap, which can't be started where we need it (containers, other folders).
    const others = packages.filter((name) => !name.startsWith('chromium'));
    return (
      'Install Google Chrome or a Chromium that is not a snap, so that google-chrome or chromium is on the PATH' +
      (others.length ? `,\nand as root:  apt-get install ${others.join(' ')}` : '.')
    );
  }
  if (id === 'ubuntu') return `Install as root:  apt-get install ${packages.join(' ')}`;
  return `Install with your system's package manager what Debian calls: ${packages.join(' ')}`;
}
