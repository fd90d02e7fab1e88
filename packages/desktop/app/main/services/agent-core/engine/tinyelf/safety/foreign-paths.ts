import { existsSync } from 'node:fs';
import { isSecretName } from './credentials.ts';

/** What was found in the arguments of a tool that isn't ours. */
export interface ForeignFindings {
  paths: string[];
  /** Texts that are command lines by the name of their argument. */
  commands: string[];
  /** There was more than could be looked through. */
  cut: boolean;
}

/** As many values as are looked through. */
const MAX_VALUES = 5000;
const MAX_DEPTH = 32;
const COMMAND_NAMES = /^(cmd|command|command_?line|script|shell|bash)$/i;

/** Everything in the arguments that looks like a path: names of properties too, however deep. */
export function findPaths(args: unknown): ForeignFindings {
  const paths = new Set<string>();
  const commands = new Set<string>();
  let values = 0;
  let cut = false;
  visit(args, '', 0);
  return { paths: [...paths], commands: [...commands], cut };

  function visit(value: unknown, name: string, depth: number): void {
    if (++values > MAX_VALUES || depth > MAX_DEPTH) {
      cut = true;
    } else if (typeof value === 'string') {
      if (COMMAND_NAMES.test(name)) commands.add(value);
      if (looksLikePath(value)) paths.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (looksLikePath(key)) paths.add(key);
        visit(inner, Array.isArray(value) ? name : key, depth + 1);
      }
    }
  }
}

function looksLikePath(text: string): boolean {
  if (text.length > 4096 || text.includes('\n') || text === '/') return false;
  if (/^file:/i.test(text) || /^[a-z]:[\\/]/i.test(text) || /^\\\\/.test(text) || /^~([\w.-]*[/\\]|$)/.test(text))
    return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  // `/users/7` of some web service is no path: nothing can be made at the top of a disk anyway.
  if (text.startsWith('/')) return existsSync(text.split('/', 2).join('/')) || hasParent(text);
  return hasParent(text) || text.split(/[/\\]/).some(isSecretName);
}

const hasParent = (text: string): boolean => /(^|[/\\]|%2f|%5c)(\.|%2e|．){2}([/\\∕⁄／]|%2f|%5c|%25|$)/i.test(text);
