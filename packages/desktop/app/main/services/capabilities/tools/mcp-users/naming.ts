import { createHash } from 'node:crypto';

/** What every model API takes as the name of a tool; `mcp__` gives it the letter it has to start with. */
const MAX_WIRE_NAME = 64;
const PREFIX = 'mcp__';
/** Gives that letter where there is no other prefix. */
const LETTER = 's_';
const SEPARATOR = '__';
const HASH_DIGITS = 8;
const ENDS_LIKE_HASH = /_[0-9a-f]{8}$/;
/** The server's share of the room when both names are long: the tool's name says more about what it does. */
const SERVER_ROOM = 16;

/** Replaces every character (code point) that a wire name can't have with `_`. */
export function normalizeMcpName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, '_');
}

/**
 * Whether a wire name has the tool's own name whole and unchanged. That the server's part was changed or cut, or that a hash
 * follows, says nothing else of the tool.
 */
export const keepsToolName = (wire: string, toolName: string): boolean =>
  wire.endsWith(`${SEPARATOR}${toolName}`) || wire.slice(0, -1 - HASH_DIGITS).endsWith(`${SEPARATOR}${toolName}`);

/**
 * The name by which models call a tool: `[A-Za-z0-9_-]`, at most 64 characters, a letter first. A pure function of the two
 * names, so it stays the same whatever other servers and tools there are. Where the plain form `mcp__{server}__{tool}` would
 * need a replacement or a cut, could be read in two ways, or ends as if it had a hash, it gets a hash of both original names.
 *
 * A wire name is for looking up, never for parsing.
 */
export const wireName = (serverName: string, toolName: string): string => joined(PREFIX, serverName, toolName);

/**
 * The name by which models call a tool of a server that the engine runs itself: `{server}__{tool}`, by the rules of
 * {@link wireName}. It is never the plain wire name of a tool of the pool.
 */
export const directWireName = (serverName: string, toolName: string): string => joined('', serverName, toolName);

function joined(pool: string, serverName: string, toolName: string): string {
  const server = normalizeMcpName(serverName);
  const tool = normalizeMcpName(toolName);
  const prefix = pool || (/^[A-Za-z]/.test(server) ? '' : LETTER);
  const plain = `${prefix}${server}${SEPARATOR}${tool}`;
  const faithful = prefix === pool && server === serverName && tool === toolName && plain.length <= MAX_WIRE_NAME;
  const unambiguous = !server.includes(SEPARATOR) && !server.endsWith('_') && !tool.startsWith('_');
  const looksPooled = prefix === '' && plain.startsWith(PREFIX);
  if (faithful && unambiguous && !looksPooled && !ENDS_LIKE_HASH.test(tool)) return plain;

  // Room for both cleaned names when a hash follows.
  const room = MAX_WIRE_NAME - prefix.length - SEPARATOR.length - 1 - HASH_DIGITS;
  const serverRoom = Math.max(SERVER_ROOM, room - tool.length);
  const serverPart = server.slice(0, serverRoom);
  const toolPart = tool.slice(0, room - serverPart.length);
  // JSON tells every pair of names apart, lone surrogates included.
  const hash = createHash('sha256')
    .update(JSON.stringify([serverName, toolName]))
    .digest('hex')
    .slice(0, HASH_DIGITS);
  return `${prefix}${serverPart}${SEPARATOR}${toolPart}_${hash}`;
}
