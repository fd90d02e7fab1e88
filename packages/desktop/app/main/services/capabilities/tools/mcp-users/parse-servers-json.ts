import { type McpServerDraft, mcpServerDraftSchema } from '@shared/contracts/mcp.contract.ts';
import type { McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import { checkConfig, nameKey } from './server-config.ts';
import { parseTolerantJson } from './tolerant-json.ts';

export interface ParsedServers {
  servers: McpServerDraft[];
  /** What could not be taken, and why. `name` is the server's, or `JSON` for the text as a whole. */
  problems: { name: string; reason: string }[];
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Problem extends Error {}

/**
 * Reads servers from pasted JSON: `{"mcpServers": {…}}`, VS Code's `{"servers": {…}}` (also inside `mcp`), a bare map of
 * servers by name, or a single server. Comments and trailing commas are no problem. Never throws.
 */
export function parseServersJson(text: string): ParsedServers {
  let value: unknown;
  try {
    value = parseTolerantJson(text);
  } catch (error) {
    const reason = explainSyntax(text, error instanceof Error ? error.message : String(error));
    return { servers: [], problems: [{ name: 'JSON', reason }] };
  }
  const map = isObject(value) ? serversIn(value) : undefined;
  if (!map) {
    const reason =
      'No servers were found. Expected {"mcpServers": {"name": {"command": …}}} or {"url": …} for each server.';
    return { servers: [], problems: [{ name: 'JSON', reason }] };
  }
  const result: ParsedServers = { servers: [], problems: [] };
  for (const [name, entry] of Object.entries(map)) {
    try {
      const server = readServer(name, entry);
      if (result.servers.some((other) => nameKey(other.name) === nameKey(server.name))) {
        throw new Problem('Another server in this text has the same name.');
      }
      result.servers.push(server);
    } catch (error) {
      result.problems.push({
        name: name.slice(0, 200),
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  if (Object.keys(map).length === 0) result.problems.push({ name: 'JSON', reason: 'The list of servers is empty.' });
  return result;
}

/** The line where reading stopped, and why, from what the parser says. */
function explainSyntax(text: string, said: string): string {
  const position = /at position (\d+)/.exec(said)?.[1];
  const atEnd = /end of JSON input/.test(said);
  const before = position === undefined ? text : text.slice(0, Number(position));
  const where = position !== undefined || atEnd ? ` (line ${before.split('\n').length})` : '';
  return `This isn’t valid JSON${where}: ${said.replace(/ in JSON at position.*$/s, '')}.`;
}

/** The map of servers by name, wherever it is in the text. */
function serversIn(value: Json): Json | undefined {
  for (const key of ['mcpServers', 'servers', 'mcp_servers', 'context_servers']) {
    if (Object.hasOwn(value, key) && isObject(value[key]) && !looksLikeServer(value)) return value[key];
  }
  if (Object.hasOwn(value, 'mcp') && isObject(value.mcp) && !looksLikeServer(value.mcp)) return serversIn(value.mcp);
  if (looksLikeServer(value)) return { [nameOf(value)]: value };
  const entries = Object.values(value);
  return entries.length > 0 && entries.every(isObject) ? value : undefined;
}

const looksLikeServer = (value: Json): boolean =>
  ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string');

/** A name for a server that was pasted without one. */
function nameOf(server: Json): string {
  if (typeof server.name === 'string' && server.name.trim()) return server.name;
  const { command, url = server.serverUrl ?? server.httpUrl } = server;
  if (typeof command === 'string') {
    const packageName =
      Array.isArray(server.args) && server.args.find((arg) => typeof arg === 'string' && /^@?\w[\w./-]*$/.test(arg));
    return (
      String(packageName || command)
        .split(/[\\/]/)
        .at(-1) || 'server'
    );
  }
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname || 'server' : 'server';
}

function readServer(name: string, entry: unknown): McpServerDraft {
  if (!isObject(entry)) throw new Problem('It is not an object.');
  if (name === '__proto__' || hasProtoKey(entry)) throw new Problem('The key “__proto__” is not allowed.');
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const type = readType(entry, url);
  const config =
    type === 'stdio'
      ? {
          command: readText(entry, 'command'),
          args: readArgs(entry.args),
          cwd: readText(entry, 'cwd'),
          env: readMap(entry, 'env'),
        }
      : { url: typeof url === 'string' ? url : undefined, headers: readMap(entry, 'headers') };
  const draft = mcpServerDraftSchema.safeParse({ name, type, config: withoutUndefined(config) });
  if (!draft.success) throw new Problem(z.prettifyError(draft.error));
  checkConfig(draft.data);
  return draft.data;
}

function readType(entry: Json, url: unknown): McpServerTransport {
  const given = entry.type ?? entry.transport;
  if (given === undefined || given === null || isObject(given)) {
    if (entry.command !== undefined) return 'stdio';
    if (url !== undefined) return 'http';
    throw new Problem('It has neither a command nor a URL.');
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
      throw new Problem(`Its type “${String(given)}” is unknown. Use stdio, http or sse.`);
  }
}

function readText(entry: Json, key: string): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Problem(`Its “${key}” is not text.`);
  return value;
}

function readArgs(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new Problem('Its “args” is not a list.');
  return value.map(asText('args'));
}

function readMap(entry: Json, key: 'env' | 'headers'): Record<string, string> | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new Problem(`Its “${key}” is not a map of names and values.`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asText(key)(each)]));
}

const asText =
  (where: string) =>
  (value: unknown): string => {
    if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
    throw new Problem(`Its “${where}” has a value that is not text.`);
  };

const withoutUndefined = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

const hasProtoKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey));
