import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { McpServerState } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { McpConnection } from './mcp-connection.ts';
import type { ObservedState } from './observed-state.ts';

/** How long a request waits for a connection in all, whatever keeps it from coming about. */
const WAIT_FOR_CONNECTION_MS = 60_000;
/** How long a request waits for a server that is about to be tried again. */
const WAIT_FOR_RETRY_MS = 10_000;

/**
 * The connection of a server that is being started. Waits a while for an attempt that is running, and a shorter one for one
 * that is due.
 * @param options.startMs how long a start may take, which is waited for
 * @throws AppError `connect-failed` and what else may keep a server from starting; the signal's reason
 */
export async function awaitConnection(
  observed: ObservedState<McpServerState>,
  current: () => McpConnection | undefined,
  options: { name: string; startMs?: number; signal?: AbortSignal },
): Promise<McpConnection> {
  const { name, startMs = 0, signal } = options;
  const startedAt = performance.now();
  const patience = startedAt + WAIT_FOR_RETRY_MS;
  const end = startedAt + Math.max(WAIT_FOR_CONNECTION_MS, startMs);
  for (;;) {
    signal?.throwIfAborted();
    const state = observed.value;
    const connection = current();
    if (state.status === 'ready' && connection) return connection;
    if (state.status === 'off') throw new AppError('connect-failed', `The server “${name}” is switched off.`);
    if (state.status === 'failed' || state.status === 'needs-sign-in') throw toAppError(state.error);
    const left = (state.status === 'waiting-to-retry' ? patience : end) - performance.now();
    if (left <= 0 && state.status === 'waiting-to-retry') throw toAppError(state.error);
    if (left <= 0)
      throw new AppError('connect-failed', `The server “${name}” is still starting.`, {
        hint: 'Try again when it is ready.',
      });
    await observed.next(signal, left);
  }
}

const toAppError = ({ code, message, hint, details }: ErrorInfo) => new AppError(code, message, { hint, details });
