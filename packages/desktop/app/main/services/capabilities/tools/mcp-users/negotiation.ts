import type { DiscoverResult } from '@modelcontextprotocol/client';
import { isNetworkFailure, isRefused } from './connection-errors.ts';
import { withShortServerInfo } from './server-info.ts';
import { ConnectionLost, RequestTimeout, RpcError, type SharedTransport } from './transports/shared-transport.ts';

/** `auto` asks a server whether it speaks the newer revision; `legacy` doesn't. */
export type Era = 'auto' | 'legacy';

/** The newer protocol revision, which is asked for with `server/discover` instead of `initialize`. */
export const MODERN_VERSION = '2026-07-28';
const UNSUPPORTED_VERSION = -32022;
/** A server that doesn't know the question may stay silent. */
const PROBE_MS = 3000;

/**
 * Asks, on the connection itself, whether the server speaks the newer revision. Anything that isn't a clear yes means the
 * older handshake, which then tells what is wrong, if something is.
 * @returns what the server says of itself, or undefined for the older handshake
 * @throws what means that no handshake would succeed: no network, sign-in needed, the server ended
 */
export async function discover(
  transport: SharedTransport,
  options: {
    envelope: Record<string, unknown>;
    isLocal: boolean;
    signal: AbortSignal;
    /** Called when there was no answer at all. */
    onSilence?: () => void;
  },
): Promise<DiscoverResult | undefined> {
  transport.envelope = options.envelope;
  const ask = () => transport.request('server/discover', {}, { idleMs: PROBE_MS, signal: options.signal });
  try {
    // A server that refuses the revision and names it as one of its own is taken at its word, once.
    const result = await ask().catch((error) => {
      if (saysItSpeaksIt(error)) return ask();
      throw error;
    });
    return isModern(result) ? (withShortServerInfo(result) as DiscoverResult) : undefined;
  } catch (error) {
    if (error instanceof RequestTimeout) options.onSilence?.();
    if (error instanceof RpcError || error instanceof RequestTimeout) return undefined;
    if (options.signal.aborted || isRefused(error)) throw error;
    const endsIt = options.isLocal ? error instanceof ConnectionLost : isNetworkFailure(error);
    if (endsIt) throw error;
    return undefined;
  } finally {
    transport.envelope = undefined;
  }
}

function saysItSpeaksIt(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== UNSUPPORTED_VERSION) return false;
  const { supported } = (error.data ?? {}) as { supported?: unknown };
  return Array.isArray(supported) && supported.includes(MODERN_VERSION);
}

function isModern(result: unknown): boolean {
  const versions = (result as { supportedVersions?: unknown } | null)?.supportedVersions;
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}
