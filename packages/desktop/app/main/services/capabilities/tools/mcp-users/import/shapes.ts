import type { McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';
import { isObject } from '../schema/json.ts';
import { nameKey } from '../server-config.ts';
import { ImportProblem, reasonOf } from './problem.ts';
import { type Json, notesOn, readServer, unwrapped } from './read-server.ts';
import { nameFor } from './server-name.ts';

export interface FoundServer {
  draft: McpServerDraft;
  notes: ReturnType<typeof notesOn>;
}

export interface FoundServers {
  servers: FoundServer[];
  /** What could not be taken, and why. `name` is the server's. */
  problems: { name: string; reason: string }[];
  /** VS Code's definitions of what is asked for. */
  inputs: McpServerInput[];
}

/**
 * The map of servers by name, wherever it is in parsed JSON: `mcpServers`, VS Code's `servers` (also inside `mcp`, or as the
 * dotted key of its settings), OpenCode's `mcp`, a bare map, or a single server. Undefined where there is none.
 */
export function serversIn(given: unknown): { map: Json; inputs: McpServerInput[] } | undefined {
  const unpacked = unwrapped(given);
  const value = listedByName(unpacked) ?? unpacked;
  if (!isObject(value)) return undefined;
  const within = settingsIn(value);
  if (within) return within;
  if (looksLikeServer(value)) return { map: { [nameOf(value)]: value }, inputs: [] };
  const entries = Object.values(value);
  return entries.length > 0 && entries.every(isObject) ? { map: value, inputs: [] } : undefined;
}

/** As {@link serversIn}, for a file that holds other settings too: only where the key says that these are servers. */
export function settingsIn(value: unknown): { map: Json; inputs: McpServerInput[] } | undefined {
  if (!isObject(value)) return undefined;
  for (const key of ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'mcp.servers']) {
    const found = Object.hasOwn(value, key) ? unwrapped(value[key]) : undefined;
    const map = listedByName(found) ?? found;
    if (isObject(map) && !looksLikeServer(value))
      return { map, inputs: readInputs(value.inputs ?? value['mcp.inputs']) };
  }
  if (!Object.hasOwn(value, 'mcp') || !isObject(value.mcp) || looksLikeServer(value.mcp)) return undefined;
  const map = value.mcp;
  const entries = Object.values(map);
  const areServers = entries.length > 0 && entries.every((entry) => isObject(entry) && looksLikeServer(entry));
  return settingsIn(map) ?? (areServers ? { map, inputs: [] } : undefined);
}

/** Reads each server of a map by itself: one that can't be taken doesn't keep the others out. */
export function readServers({ map, inputs }: { map: Json; inputs: McpServerInput[] }): FoundServers {
  const found: FoundServers = { servers: [], problems: [], inputs };
  const names = new Set<string>();
  for (const [name, entry] of Object.entries(map)) {
    try {
      const draft = readServer(name, entry);
      if (names.has(nameKey(draft.name))) throw new ImportProblem('Another server in this text has the same name.');
      names.add(nameKey(draft.name));
      found.servers.push({ draft, notes: notesOn(entry) });
    } catch (error) {
      found.problems.push({ name: name.slice(0, 200), reason: reasonOf(error).slice(0, 1000) });
    }
  }
  return found;
}

/** A list of servers as a map, by their names or what they start. Undefined for anything else. */
function listedByName(list: unknown): Json | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const servers = list.map(unwrapped);
  if (!servers.every((each) => isObject(each) && looksLikeServer(each))) return undefined;
  const map: Json = Object.create(null);
  for (const server of servers as Json[]) {
    const name = nameOf(server);
    let key = name;
    for (let count = 2; key in map; count += 1) key = `${name} ${count}`;
    map[key] = server;
  }
  return map;
}

const looksLikeServer = (value: Json): boolean =>
  Array.isArray(value.command) ||
  ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string');

function nameOf(server: Json): string {
  if (typeof server.name === 'string' && server.name.trim()) return server.name;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const args = Array.isArray(server.args) ? server.args.filter((arg) => typeof arg === 'string') : [];
  const url = text(server.url) ?? text(server.serverUrl) ?? text(server.httpUrl);
  return nameFor(typeof server.command === 'string' ? { command: server.command, args } : { url });
}

function readInputs(value: unknown): McpServerInput[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.id !== 'string' || entry.id === '') return [];
    const { id, description, password, options } = entry;
    const initial = typeof entry.default === 'string' ? entry.default : undefined;
    const choices = Array.isArray(options)
      ? options.flatMap((each) => {
          const choice = isObject(each) ? each.value : each;
          return typeof choice === 'string' ? [choice.slice(0, 1000)] : [];
        })
      : [];
    return [
      {
        id: id.slice(0, 200),
        secret: password === true,
        ...(typeof description === 'string' && { description: description.slice(0, 1000) }),
        // A default of a secret would be a secret in a file: it is not shown.
        ...(initial !== undefined && password !== true && { initial: initial.slice(0, 1000) }),
        ...(choices.length > 0 && { choices: choices.slice(0, 100) }),
      },
    ];
  });
}
