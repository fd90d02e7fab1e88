import { type DiscoverResult, isSpecType } from '@modelcontextprotocol/client';
import type { McpProtocol } from '@shared/contracts/mcp-types.ts';
import { isNetworkFailure, isRefused, meansOldServer } from './connection-errors.ts';
import { withShortServerInfo } from './server-info.ts';
import { NotThisRevision } from './start-failure.ts';
import { AnswerCutOff, ConnectionLost, RequestTimeout, RpcError } from './transports/errors.ts';
import type { SharedTransport } from './transports/shared-transport.ts';

/** What is spoken with a server: as it was chosen, or `legacy` for one that is known not to bear the question. */
export type Era = McpProtocol;

/** The newer protocol revision, which is asked for with `server/discover` instead of `initialize`. */
export const MODERN_VERSION = '2026-07-28' satisfies McpProtocol;
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
  try {
    const result = await ask(transport, PROBE_MS, options.signal);
    return isModern(result) ? (withShortServerInfo(result) as DiscoverResult) : undefined;
  } catch (error) {
    if (error instanceof RequestTimeout) options.onSilence?.();
    if (error instanceof RpcError || error instanceof RequestTimeout) return undefined;
    if (options.signal.aborted || isRefused(error)) throw error;
    if (error instanceof AnswerCutOff) return undefined;
    const endsIt = options.isLocal ? error instanceof ConnectionLost : isNetworkFailure(error);
    if (endsIt) throw error;
    return undefined;
  } finally {
    transport.envelope = undefined;
  }
}

/**
 * As {@link discover}, of a server that has to speak the newer revision: it has the whole time of its start to answer.
 * @throws NotThisRevision when the answer isn't a clear yes; and whatever else asking throws
 */
export async function requireModern(
  transport: SharedTransport,
  options: { envelope: Record<string, unknown>; startMs: number; signal: AbortSignal },
): Promise<DiscoverResult> {
  transport.envelope = options.envelope;
  try {
    const result = await ask(transport, options.startMs, options.signal);
    if (!isModern(result)) throw new NotThisRevision(MODERN_VERSION, spokenBy(result));
    return withShortServerInfo(result) as DiscoverResult;
  } catch (error) {
    if (error instanceof RpcError) throw new NotThisRevision(MODERN_VERSION, spokenBy(error.data) ?? error.message);
    if (meansOldServer(error)) throw new NotThisRevision(MODERN_VERSION, (error as Error).message);
    throw error;
  } finally {
    transport.envelope = undefined;
  }
}

async function ask(transport: SharedTransport, idleMs: number, signal: AbortSignal): Promise<unknown> {
  const once = () => transport.request('server/discover', {}, { idleMs, signal });
  try {
    return await once();
  } catch (error) {
    // A server that refuses the revision and names it as one of its own is taken at its word, once.
    if (saysItSpeaksIt(error)) return once();
    throw error;
  }
}

/** The revisions that an answer or a refusal names. */
function spokenBy(value: unknown): string | undefined {
  const { supportedVersions, supported } = (value ?? {}) as { supportedVersions?: unknown; supported?: unknown };
  const versions = supportedVersions ?? supported;
  return Array.isArray(versions) ? `It speaks ${versions.slice(0, 20).join(', ') || 'none'}.` : undefined;
}

function saysItSpeaksIt(error: unknown): boolean {
  if (!(error instanceof RpcError) || error.code !== UNSUPPORTED_VERSION) return false;
  const { supported } = (error.data ?? {}) as { supported?: unknown };
  return Array.isArray(supported) && supported.includes(MODERN_VERSION);
}

const isModern = (result: unknown): result is DiscoverResult =>
  isSpecType.DiscoverResult(result) && result.supportedVersions.includes(MODERN_VERSION);
