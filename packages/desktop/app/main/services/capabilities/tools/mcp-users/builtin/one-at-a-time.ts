import type { BuiltinName } from '@shared/contracts/mcp-builtin.contract.ts';
import { KeyedQueue } from '../../../../ports/keyed-queue.ts';

/**
 * Servers that read a file, change it and write it back without a lock. Of two calls at the same time, of one of their processes
 * or of two, one would be lost, although both report success (modelcontextprotocol/servers#4797).
 */
const ONE_AT_A_TIME: ReadonlySet<string> = new Set<BuiltinName>(['memory']);

/** For all processes of a server: those of the pool and of runs work on the same file. */
const queue = new KeyedQueue();

/**
 * Makes a call of a server that comes with the app (undefined: of another one) when it can take it. Rejects with the signal's
 * reason as soon as it aborts while the call waits for its turn; what is made is left to the call.
 */
export function callInTurn<T>(builtin: string | undefined, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  if (builtin === undefined || !ONE_AT_A_TIME.has(builtin)) return call();
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const turn = async () => {
      signal.removeEventListener('abort', leave);
      signal.throwIfAborted();
      return call();
    };
    queue.run(builtin, turn).then(resolve, reject);
  });
}
