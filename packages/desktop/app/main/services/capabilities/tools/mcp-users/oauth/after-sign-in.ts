import { InsufficientScopeError } from '@modelcontextprotocol/client';
import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import { isRefused } from '../connection-errors.ts';
import type { OAuthService } from './OAuthService.ts';

/**
 * Does something with a server. Where it is refused because nobody is signed in, or with too few rights, it waits for the
 * person to sign in, as long as it takes, and does it once more: what was refused was not done.
 * @throws what `work` throws; AppError `cancelled`, or why the sign-in came to nothing
 */
export async function afterSignIn<T>(
  oauth: OAuthService | undefined,
  serverId: string,
  work: () => Promise<T>,
  options: {
    signal?: AbortSignal;
    onProgress?: (progress: CallProgress) => void;
    /** Told true while it waits for the person, and false afterwards. */
    onWaiting?: (isWaiting: boolean) => void;
    /** Whether the server waits for a sign-in, whatever the error says. */
    needsSignIn: () => boolean;
    /** Waits only for a sign-in that the person has begun already. */
    onlyUnderWay?: boolean;
  },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { signal, needsSignIn, onlyUnderWay, onWaiting } = options;
    if (!oauth || signal?.aborted || !(needsSignIn() || wantsSignIn(error))) throw error;
    if (!(onlyUnderWay ? oauth.isUnderWay(serverId) : oauth.isWanted(serverId))) throw error;
    options.onProgress?.({ progress: 0, message: 'Waiting until you have signed in to this server.' });
    onWaiting?.(true);
    try {
      await oauth.signedIn(serverId, signal);
    } catch (failure) {
      throw signal?.aborted ? new AppError('cancelled', 'The call was cancelled.') : failure;
    } finally {
      onWaiting?.(false);
    }
    return work();
  }
}

/** Whether a failure, or what caused it, is the server asking who we are or for more rights. */
function wantsSignIn(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (isRefused(at) || at instanceof InsufficientScopeError) return true;
  return false;
}
