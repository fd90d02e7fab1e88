import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { McpServerRecord, McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Fetch } from '../../../../ports/infrastructure.ts';
import type { ProcessPort } from '../../../../ports/processes.ts';
import { limitedFetch } from './limited-fetch.ts';
import { DEFAULT_MAX_FRAME_BYTES, type LogSink, StdioTransport } from './stdio-transport.ts';

/** Streams that end are opened again when the server asks for it; one that asks again and again waits at least this long. */
const SHORTEST_RECONNECT_MS = 1000;
/** So many within the time may come as quickly as asked for. */
const QUICK_RECONNECTS = 2;
const QUICK_WITHIN_MS = 10_000;

export interface TransportDependencies {
  processes: ProcessPort;
  fetch: Fetch;
  log: LogSink;
}

/**
 * The transport that a server's type asks for, not started yet.
 * @param as overrides the type: `sse` for an older server behind an `http` one
 * @throws AppError `invalid-config` for an unknown type (named), a URL transport without a URL, or `stdio` without a command
 */
export function createTransport(
  server: Pick<McpServerRecord, 'name' | 'type' | 'config' | 'limits'>,
  dependencies: TransportDependencies,
  as: McpServerTransport = server.type,
): Transport {
  switch (as) {
    case 'stdio': {
      const { command, args, cwd, env } = server.config;
      if (!command) throw new AppError('invalid-config', `The server “${server.name}” has no command to start.`);
      const { maxFrameBytes } = server.limits ?? {};
      return new StdioTransport({ ...dependencies, server: { command, args, cwd, env }, maxFrameBytes });
    }
    case 'http':
      return new StreamableHTTPClientTransport(urlOf(server), {
        ...requestOptions(server, dependencies.fetch),
        reconnectionScheduler: pacedReconnects(),
      });
    case 'sse':
      return new SSEClientTransport(urlOf(server), requestOptions(server, dependencies.fetch));
    default:
      throw new AppError('invalid-config', `The server “${server.name}” has the unknown type “${String(as)}”.`, {
        hint: 'Use stdio, http or sse.',
      });
  }
}

/** Waits as long as the server says, until it says too little too often. */
function pacedReconnects() {
  let quick: number[] = [];
  return (reconnect: () => void, delay: number) => {
    const now = performance.now();
    quick = quick.filter((at) => now - at < QUICK_WITHIN_MS);
    const mayBeQuick = quick.length < QUICK_RECONNECTS;
    if (mayBeQuick && delay < SHORTEST_RECONNECT_MS) quick.push(now);
    const timer = setTimeout(reconnect, mayBeQuick ? delay : Math.max(delay, SHORTEST_RECONNECT_MS));
    return () => clearTimeout(timer);
  };
}

function urlOf(server: Pick<McpServerRecord, 'name' | 'config'>): URL {
  const { url } = server.config;
  if (!url) throw new AppError('invalid-config', `The server “${server.name}” has no URL.`);
  if (!URL.canParse(url)) throw new AppError('invalid-config', `The URL of the server “${server.name}” is not valid.`);
  return new URL(url);
}

const requestOptions = (server: Pick<McpServerRecord, 'config' | 'limits'>, fetch: Fetch) => ({
  fetch: limitedFetch(fetch, server.limits?.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES),
  requestInit: { headers: server.config.headers ?? {} },
});
