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
/** A server that doesn't know the question may stay silent; so does one that is still starting. */
const PROBE_MS = 3000;

interface Asking {
  envelope: Record<string, unknown>;
  /** How long the server may take to answer. */
  startMs: number;
  signal: AbortSignal;
}

/** How the question whether a server speaks the newer revision went. */
export interface Probe {
  /** What the server says of itself; undefined for the older handshake. */
  discovered: DiscoverResult | undefined;
  /** What has come by now, which may be after the older handshake was begun; undefined for nothing. */
  answer: 'modern' | 'other' | undefined;
  /** Stops waiting for an answer. */
  end(): void;
}

/**
 * Asks, on the connection itself, whether the server speaks the newer revision. Anything that isn't a clear yes, soon, means
 * the older handshake, which then tells what is wrong, if something is.
 * @throws what means that no handshake would succeed: no network, sign-in needed, the server ended
 */
export async function discover(transport: SharedTransport, options: Asking & { isLocal: boolean }): Promise<Probe> {
  const waiting = new AbortController();
  const signal = AbortSignal.any([options.signal, waiting.signal]);
  const probe: Probe = { discovered: undefined, answer: undefined, end: () => waiting.abort() };
  const asked = ask(transport, { ...options, signal }).then(
    (result) => {
      probe.answer = isModern(result) ? 'modern' : 'other';
      return isModern(result) ? (withShortServerInfo(result) as DiscoverResult) : undefined;
    },
    (error) => {
      if (error instanceof RpcError) probe.answer = 'other';
      throw error;
    },
  );
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, undefined);
  });
  try {
    probe.discovered = await Promise.race([asked, silence]);
  } catch (error) {
    if (error instanceof RpcError || error instanceof RequestTimeout) return probe;
    if (options.signal.aborted || isRefused(error)) throw error;
    if (error instanceof AnswerCutOff) return probe;
    const endsIt = options.isLocal ? error instanceof ConnectionLost : isNetworkFailure(error);
    if (endsIt) throw error;
  } finally {
    clearTimeout(timer);
  }
  return probe;
}

/**
 * As {@link discover}, of a server that has to speak the newer revision: it has the whole time of its start to answer.
 * @throws NotThisRevision when the answer isn't a clear yes; and whatever else asking throws
 */
export async function requireModern(transport: SharedTransport, options: Asking): Promise<DiscoverResult> {
  try {
    const result = await ask(transport, options);
    if (!isModern(result)) throw new NotThisRevision(MODERN_VERSION, spokenBy(result));
    return withShortServerInfo(result) as DiscoverResult;
  } catch (error) {
    if (error instanceof RpcError) throw new NotThisRevision(MODERN_VERSION, spokenBy(error.data) ?? error.message);
    if (meansOldServer(error)) throw new NotThisRevision(MODERN_VERSION, (error as Error).message);
    throw error;
  }
}

async function ask(transport: SharedTransport, { envelope, startMs, signal }: Asking): Promise<unknown> {
  const once = () => {
    transport.envelope = envelope;
    const answer = transport.request('server/discover', {}, { idleMs: startMs, signal });
    // The older handshake may be begun before it comes.
    transport.envelope = undefined;
    return answer;
  };
  try {
    return await once();
  } catch (error) {
    // A server that refuses the revision and names it as one of its own is taken at its word, once.
    if (error instanceof RpcError && namesModern(error)) return once();
    throw error;
  }
}

/** The revisions that an answer or a refusal names. */
function spokenBy(value: unknown): string | undefined {
  const { supportedVersions, supported } = (value ?? {}) as { supportedVersions?: unknown; supported?: unknown };
  const versions = supportedVersions ?? supported;
  return Array.isArray(versions) ? `It speaks ${versions.slice(0, 20).join(', ') || 'none'}.` : undefined;
}

/** Whether an error is a refusal of another revision that names the newer one as spoken. */
export function namesModern(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { supported?: unknown } | null };
  if (code !== UNSUPPORTED_VERSION) return false;
  return Array.isArray(data?.supported) && data.supported.includes(MODERN_VERSION);
}

const isModern = (result: unknown): result is DiscoverResult =>
  isSpecType.DiscoverResult(result) && result.supportedVersions.includes(MODERN_VERSION);
