import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { McpServerLimits } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { Emitter } from '../emitter.ts';
import type { McpServiceEvents } from '../McpService.ts';
import type { McpConnection } from '../mcp-connection.ts';
import { isObject } from '../schema/json.ts';

/** The pool, as far as the content of servers needs it; McpService is one. */
export interface ContentServers {
  readonly events: Emitter<McpServiceEvents>;
  listServers(): McpServerStatus[];
  /**
   * Does `work` on the server's connection, which is made when there is none.
   * @param what what it is about, for the words of an error
   * @throws AppError
   */
  request<T>(
    serverId: string,
    what: string,
    work: (
      connection: McpConnection,
      limits: Required<Pick<McpServerLimits, 'startMs' | 'idleMs' | 'totalMs'>>,
    ) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
}

/** Somebody waits for each of these: longer silence than this is no use, whatever a tool of the server may take. */
const IDLE_MS = 60_000;
const TOTAL_MS = 180_000;

export const requestLimits = ({
  idleMs,
  totalMs,
}: Required<Pick<McpServerLimits, 'startMs' | 'idleMs' | 'totalMs'>>) => ({
  idleMs: Math.min(idleMs, IDLE_MS),
  totalMs: Math.min(totalMs, TOTAL_MS),
});

/** A server may ask back although it was told that nobody is there to answer. @throws AppError `not-supported` */
export function answerOf(result: unknown): unknown {
  if (isObject(result) && result.resultType === 'input_required') {
    throw new AppError('not-supported', 'The server wants to ask something first, which is not possible here.');
  }
  return result;
}
