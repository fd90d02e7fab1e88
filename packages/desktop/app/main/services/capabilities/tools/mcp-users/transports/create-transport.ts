import { SSEClientTransport, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { McpServerRecord, McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Fetch } from '../../../../ports/infrastructure.ts';
import type { ProcessPort } from '../../../../ports/processes.ts';
import { redactor } from '../redact.ts';
import { pacedReconnects, reconnectionOptions, type ServerStream } from './event-streams.ts';
import { limitedFetch } from './limited-fetch.ts';
import { forgiveNotifications, requireAnswers } from './odd-answers.ts';
import { DEFAULT_MAX_FRAME_BYTES, type LogSink, StdioTransport } from './stdio-transport.ts';

export interface TransportDependencies {
  processes: ProcessPort;
  fetch: Fetch;
  log: LogSink;
  /** Looks after the stream on which a server tells by itself. Default: nobody does. */
  serverStream?: ServerStream;
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
      const redact = redactor(server.config);
      return new StdioTransport({ ...dependencies, server: { command, args, cwd, env }, redact, maxFrameBytes });
    }
    case 'http': {
      const { serverStream } = dependencies;
      const { fetch, ...options } = requestOptions(server, {
        ...dependencies,
        fetch: serverStream?.wrap(dependencies.fetch) ?? dependencies.fetch,
      });
      const transport: Transport = new StreamableHTTPClientTransport(urlOf(server), {
        ...options,
        fetch: requireAnswers(fetch, (message) => transport.onmessage?.(message)),
        reconnectionOptions,
        reconnectionScheduler: pacedReconnects(),
      });
      return transport;
    }
    case 'sse':
      return new SSEClientTransport(urlOf(server), requestOptions(server, dependencies));
    default:
      throw new AppError('invalid-config', `The server “${server.name}” has the unknown type “${String(as)}”.`, {
        hint: 'Use stdio, http or sse.',
      });
  }
}

function urlOf(server: Pick<McpServerRecord, 'name' | 'config'>): URL {
  const { url } = server.config;
  if (!url) throw new AppError('invalid-config', `The server “${server.name}” has no URL.`);
  if (!URL.canParse(url)) throw new AppError('invalid-config', `The URL of the server “${server.name}” is not valid.`);
  return new URL(url);
}

const requestOptions = (
  server: Pick<McpServerRecord, 'config' | 'limits'>,
  { fetch, log }: Pick<TransportDependencies, 'fetch' | 'log'>,
) => ({
  fetch: forgiveNotifications(limitedFetch(fetch, server.limits?.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES), log),
  requestInit: { headers: server.config.headers ?? {} },
});
