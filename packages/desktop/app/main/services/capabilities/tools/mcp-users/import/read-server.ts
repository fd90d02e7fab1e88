import { type McpServerDraft, mcpServerDraftSchema } from '@shared/contracts/mcp.contract.ts';
import type { McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import { isObject } from '../schema/json.ts';
import { checkConfig } from '../server-config.ts';
import { parseTolerantJson } from '../tolerant-json.ts';
import { LAUNCHERS } from './launchers.ts';
import { hasInput } from './placeholders.ts';
import { ImportProblem } from './problem.ts';
import { quotingOf, splitCommandLine } from './split-command-line.ts';

export type Json = Record<string, unknown>;

/** One server as any program writes it. Keys that this app doesn't have (approvals, `autoStart`, …) are not taken over. */
export function readServer(name: string, given: unknown): McpServerDraft {
  const entry = unwrapped(given);
  if (!isObject(entry)) throw new ImportProblem('It is not an object.');
  if (name === '__proto__' || hasProtoKey(entry)) throw new ImportProblem('The key “__proto__” is not allowed.');
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const type = readType(entry, url);
  const config =
    type === 'stdio'
      ? {
          ...readCommand(entry),
          cwd: readText(entry, 'cwd'),
          env: readMap(isObject(entry.command) ? entry.command : entry, 'env') ?? readMap(entry, 'environment'),
        }
      : { url: typeof url === 'string' ? url.trim() : undefined, headers: readMap(entry, 'headers') };
  const draft = mcpServerDraftSchema.safeParse({ name, type, config: withoutUndefined(config) });
  if (!draft.success) throw new ImportProblem(z.prettifyError(draft.error));
  // An address that is left open is checked when it is whole.
  if (!hasInput(draft.data.config.url ?? '')) checkConfig(draft.data);
  return draft.data;
}

/** What a person should know of a server that is taken, since part of its entry isn't. */
export function notesOn(given: unknown): ('approvals' | 'env-file' | 'disabled')[] {
  const entry = unwrapped(given);
  if (!isObject(entry)) return [];
  const approvals = ['autoApprove', 'alwaysAllow', 'trust', 'autoStart', 'alwaysApprove'].some((key) => {
    const value = entry[key];
    return value === true || (Array.isArray(value) && value.length > 0);
  });
  return [
    ...(approvals ? (['approvals'] as const) : []),
    ...(typeof entry.envFile === 'string' ? (['env-file'] as const) : []),
    ...(entry.disabled === true || entry.enabled === false ? (['disabled'] as const) : []),
  ];
}

function readType(entry: Json, url: unknown): McpServerTransport {
  const given = entry.type ?? entry.transport;
  if (given === undefined || given === null || given === '' || isObject(given)) {
    if (entry.command !== undefined) return 'stdio';
    if (url !== undefined) return 'http';
    throw new ImportProblem('It has neither a command nor a URL.');
  }
  switch (String(given).toLowerCase().replace(/[-_ ]/g, '')) {
    case 'stdio':
    case 'local':
      return 'stdio';
    case 'http':
    case 'streamablehttp':
    case 'remote':
      return 'http';
    case 'sse':
      return 'sse';
    default:
      throw new ImportProblem(`Its type “${String(given).slice(0, 100)}” is unknown. Use stdio, http or sse.`);
  }
}

/** The program and its arguments: each by itself, or the beginning of a command line as the program, or a list of both. */
function readCommand(entry: Json): { command?: string; args?: string[] } {
  // Older versions of Zed put all of it together.
  if (isObject(entry.command)) return readCommand({ ...entry.command, command: entry.command.path });
  const args = readArgs(entry.args);
  if (Array.isArray(entry.command)) {
    const [command, ...first] = entry.command.map(asText('command'));
    return { command, args: [...first, ...(args ?? [])] };
  }
  const command = readText(entry, 'command');
  if (command === undefined || !LAUNCHERS.has(command.split(' ', 1)[0] ?? '')) return { command, args };
  const [program, ...words] = splitCommandLine(command, quotingOf(command));
  return { command: program, args: words.length > 0 ? [...words, ...(args ?? [])] : args };
}

function readText(entry: Json, key: string): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new ImportProblem(`Its “${key}” is not text.`);
  return value;
}

function readArgs(value: unknown): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (!Array.isArray(value)) throw new ImportProblem('Its “args” is not a list.');
  return value.map(asText('args'));
}

function readMap(entry: Json, key: 'env' | 'environment' | 'headers'): Record<string, string> | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  const pairs = Array.isArray(value) ? value.map(key === 'headers' ? readHeader : readVariable) : mapOf(value);
  if (!pairs || pairs.includes(undefined)) throw new ImportProblem(`Its “${key}” is not a map of names and values.`);
  // Null is as good as not there.
  const set = pairs.filter((pair): pair is [string, unknown] => pair !== undefined && pair[1] !== null);
  return Object.fromEntries(set.map(([name, each]) => [name, asText(key)(each)]));
}

const mapOf = (value: unknown): [string, unknown][] | undefined =>
  isObject(value) ? Object.entries(value) : undefined;

/** `NAME=value`, as in a file of variables, or `{"name": …, "value": …}`. */
const readVariable = (item: unknown): [string, unknown] | undefined => readPair(item, '=');

/** `Name: value`, as it is sent, or `{"name": …, "value": …}`. */
const readHeader = (item: unknown): [string, unknown] | undefined => readPair(item, ':');

function readPair(item: unknown, separator: string): [string, unknown] | undefined {
  if (isObject(item)) {
    const name = item.name ?? item.key;
    return typeof name === 'string' ? [name, item.value ?? null] : undefined;
  }
  const at = typeof item === 'string' ? item.indexOf(separator) : -1;
  if (typeof item !== 'string' || at <= 0) return undefined;
  const value = item.slice(at + 1);
  return [item.slice(0, at).trim(), separator === ':' ? value.trim() : value];
}

/** JSON that stands in a text, as it does where one program stores what another one wrote. */
export function unwrapped(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseTolerantJson(value);
  } catch {
    return value;
  }
}

const asText =
  (where: string) =>
  (value: unknown): string => {
    if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
    throw new ImportProblem(`Its “${where}” has a value that is not text.`);
  };

const withoutUndefined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const hasProtoKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey));
