import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/client';
import { cut } from './log/cut.ts';

/** Longest name, version and so on of a server, in characters. */
const MAX_TEXT = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The result of a handshake with what the server says of itself cut short. It stands in every message about the server's
 * state, and the SDK writes it out anew for each message that tells of a change.
 */
export function withShortServerInfo(result: unknown): unknown {
  if (!isObject(result)) return result;
  const { serverInfo, _meta: meta } = result;
  return {
    ...result,
    ...(isObject(serverInfo) && { serverInfo: short(serverInfo) }),
    ...(isObject(meta) &&
      isObject(meta[SERVER_INFO_META_KEY]) && {
        _meta: { ...meta, [SERVER_INFO_META_KEY]: short(meta[SERVER_INFO_META_KEY]) },
      }),
  };
}

const short = (info: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? cut(value, MAX_TEXT) : value]),
  );
