import path from 'node:path';
import type { Surroundings } from './path-rules.ts';
import { ask, deny, type Verdict } from './verdict.ts';

const MAX_LENGTH = 4096;
/** As often as a path may have been encoded. */
const MAX_DECODINGS = 3;

/** Windows gives these names to devices, whatever the folder and the ending. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)([. :].*)?$/i;

/**
 * All ways in which a path may be read by whoever gets it: as it stands, decoded, with look-alikes for what they look like.
 * A rule that forbids one forbids them all. A verdict instead, when it can't be a path of this workspace's machine.
 */
export function spell(given: string, { home, platform }: Surroundings): string[] | Verdict {
  const spellings = new Set<string>();
  const notAPath = deny('invalid-path', `${quote(given)} is not a path.`);
  // Before anything works on it: that takes time by the square of the length.
  if (given.length > MAX_LENGTH) return notAPath;
  let last = fromFileUrl(given, platform);
  if (last === undefined) return deny('invalid-path', `${quote(given)} names a file on another machine, or none.`);
  spellings.add(last);
  const steps = [decode, withoutLookAlikes, ...(platform === 'win32' ? [] : [withSlashes]), withoutTrailingDots];
  for (const step of steps) {
    last = step(last);
    if (last.length > MAX_LENGTH) return notAPath;
    spellings.add(last);
  }

  const spelled: string[] = [];
  // A tool that knows neither takes them for names in its folder.
  if (/^~[^/\\]/.test(given) || (platform !== 'win32' && /^file:/i.test(given))) spelled.push(`./${given}`);
  for (const spelling of spellings) {
    if (spelling === '' || spelling.includes('\0')) return notAPath;
    const expanded = expandTilde(spelling, home);
    if (expanded === undefined) {
      return deny('other-home', `${quote(given)} is the home of somebody else. Write ./ before a file of that name.`);
    }
    const oddity = platform === 'win32' ? windowsOddity(expanded) : undefined;
    if (oddity) return oddity;
    spelled.push(expanded);
  }
  return spelled;
}

/** How a path is shown in a reason: on one line, and not too long. */
export function quote(given: string): string {
  return JSON.stringify(given.length > 200 ? `${given.slice(0, 200)}…` : given);
}

function fromFileUrl(given: string, platform: NodeJS.Platform): string | undefined {
  if (!/^file:/i.test(given)) return given;
  try {
    const url = new URL(given);
    if (url.hostname !== '' && url.hostname !== 'localhost') return undefined;
    const pathname = decodeURIComponent(url.pathname);
    return platform === 'win32' ? pathname.replace(/^\/(?=[a-z]:)/i, '') : pathname;
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_DECODINGS && decoded.includes('%'); round++) {
    const before = decoded;
    try {
      decoded = decodeURIComponent(before);
    } catch {
      // Something else stands beside what is encoded: what matters is decoded all the same.
      decoded = before.replace(/%([0-7][0-9a-f])/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
    if (decoded === before) break;
  }
  return decoded;
}

const withoutLookAlikes = (text: string): string =>
  text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/[\u2044\u2215\u29F8\u2571]/g, '/')
    .replace(/[\u2216\u29F5\u29F9]/g, '\\')
    .replace(/[\u3002\uA4F8]/g, '.')
    .normalize('NFC');

const withSlashes = (text: string): string => text.replaceAll('\\', '/');

/** Windows drops dots and spaces at the end of a name. */
const withoutTrailingDots = (text: string): string => text.replace(/([^./\\ ][^/\\]*?)[. ]+(?=[/\\]|$)/g, '$1');

function expandTilde(text: string, home: string): string | undefined {
  const [, name, rest = ''] = /^~([^/\\]*)(.*)$/s.exec(text) ?? [];
  if (name === undefined) return text;
  return name === '' || name === path.basename(home) ? home + rest : undefined;
}

function windowsOddity(text: string): Verdict | undefined {
  if (/^[\\/]{2}/.test(text)) return deny('invalid-path', `${quote(text)} names a device or another machine.`);
  if (/^[a-z]:(?![\\/])/i.test(text))
    return deny('invalid-path', `${quote(text)} depends on a drive’s current folder.`);
  const names = text.replace(/^[a-z]:/i, '').split(/[\\/]/);
  if (names.some((name) => name.includes(':'))) return deny('invalid-path', `${quote(text)} names a stream in a file.`);
  if (names.some((name) => DEVICE.test(name))) return deny('invalid-path', `${quote(text)} names a device.`);
  if (names.some((name) => /^\.{3,}$/.test(name))) return deny('invalid-path', `${quote(text)} is not a path.`);
  if (names.some((name) => /~\d/.test(name))) return ask(`${quote(text)} may be the short name of another file.`);
  return undefined;
}
