import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
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

/**
 * Everything in the arguments that looks like a path, or is one of something in the workspace: names of properties too, however
 * deep, and what is JSON within a text.
 */
export function findPaths(args: unknown, root: string): ForeignFindings {
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
      if (looksLikePath(value, root)) paths.add(value);
      const inner = jsonIn(value);
      if (inner) visit(inner, name, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (looksLikePath(key, root)) paths.add(key);
        visit(inner, Array.isArray(value) ? name : key, depth + 1);
      }
    }
  }
}

function looksLikePath(text: string, root: string): boolean {
  if (text === '' || text.length > 4096 || text.includes('\n') || text === '/') return false;
  if (/^file:/i.test(text) || /^[a-z]:[\\/]/i.test(text) || /^\\\\/.test(text) || /^~([\w.-]*[/\\]|$)/.test(text))
    return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return false;
  // `/users/7` of some web service is no path: nothing can be made at the top of a disk anyway.
  if (text.startsWith('/')) return existsSync(text.split('/', 2).join('/')) || hasParent(text);
  const [first = '', ...rest] = text.split(/[/\\]/);
  return hasParent(text) || [first, ...rest].some(isSecretName) || isThere(path.join(root, first));
}

/** Also as a link to nowhere. */
const isThere = (file: string): boolean => {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const hasParent = (text: string): boolean => /(^|[/\\]|%2f|%5c)(\.|%2e|．){2}([/\\∕⁄／]|%2f|%5c|%25|$)/i.test(text);
