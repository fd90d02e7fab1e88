import fs from 'node:fs';
import path from 'node:path';
import { notEmulated } from './not-emulated.mjs';
import { serverAddress } from './proxy.mjs';

/** KDE's `ProxyType`. */
const MODES = { none: '0', manual: '1' };

/**
 * The system's settings where the desktop is KDE, read as Chromium reads them: from `kioslaverc` in `~/.config`.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {import('./proxy.mjs').ProxySettings | undefined} undefined on another desktop, or where nothing was ever set
 */
export function kdeProxySettings(env) {
  const isPlasma =
    env.XDG_CURRENT_DESKTOP?.split(':').includes('KDE') && ['5', '6'].includes(env.KDE_SESSION_VERSION ?? '');
  if (!isPlasma || !env.HOME) return undefined;
  const values = readSection(path.join(env.HOME, '.config', 'kioslaverc'), 'Proxy Settings');
  if (!values) return undefined;
  const mode = values.ProxyType ?? MODES.none;
  if (mode === MODES.none) return { servers: {}, bypass: [] };
  if (mode !== MODES.manual) throw notEmulated(`KDE's ProxyType ${mode}`);
  const servers = ['http', 'https'].flatMap((scheme) => {
    const server = values[`${scheme}Proxy`];
    // KDE puts a space before the port.
    return server ? [[scheme, serverAddress(server.replace(' ', ':'))]] : [];
  });
  return {
    servers: Object.fromEntries(servers),
    bypass: (values.NoProxyFor ?? '').split(',').filter(Boolean),
    suffixes: true,
    reversed: /^(1|true)$/.test(values.ReversedException ?? ''),
  };
}

/**
 * @param {string} file
 * @param {string} section
 * @returns {Record<string, string> | undefined} undefined without the file or the section
 */
function readSection(file, section) {
  if (!fs.existsSync(file)) return undefined;
  const [, body] = fs.readFileSync(file, 'utf8').split(`[${section}]\n`);
  const lines = body
    ?.split(/^\[/m)[0]
    .split('\n')
    .map((line) => /^(\w+)=(.*)$/.exec(line.trim()));
  return lines && Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}
