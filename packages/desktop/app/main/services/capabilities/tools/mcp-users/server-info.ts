import { isSpecType, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client';
import { cut } from './log/cut.ts';
import { isObject } from './schema/json.ts';

/** Longest name, version and so on of a server, in characters. */
const MAX_TEXT = 100;

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

/**
 * The result of `initialize` as the SDK takes it. What is not of the promised type there says nothing of the tools: an empty
 * list stands for an empty object, as PHP writes those, and what else can't be read is left out.
 */
export function readHandshake(result: object): unknown {
  const handshake = withShortServerInfo(result) as Record<string, unknown>;
  if (isSpecType.InitializeResult(handshake)) return handshake;
  const { serverInfo, capabilities, instructions, _meta: meta, ...rest } = handshake;
  const { name, version, ...more } = isObject(serverInfo) ? serverInfo : {};
  const texts = Object.fromEntries(Object.entries(more).filter(([, value]) => typeof value === 'string'));
  return {
    ...rest,
    ...(isObject(meta) && { _meta: meta }),
    ...(typeof instructions === 'string' && { instructions }),
    serverInfo: { ...texts, name: wordOf(name), version: wordOf(version) },
    capabilities: isObject(capabilities) ? readCapabilities(capabilities) : {},
  };
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const readCapabilities = (capabilities: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(capabilities).flatMap(([name, value]) => {
      if (value === true || Array.isArray(value)) return [[name, {}]];
      if (!isObject(value)) return [];
      return [[name, Object.fromEntries(Object.entries(value).filter(([, each]) => isObject(each) || each === true))]];
    }),
  );

const short = (info: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(info).map(([key, value]) => [key, typeof value === 'string' ? cut(value, MAX_TEXT) : value]),
  );
