import type { Fetch } from '../../../../ports/infrastructure.ts';

/** So many within a minute may come as quickly as the server asks for; each further one waits twice as long as the last. */
const QUICK_RECONNECTS = 2;
const SHORTEST_RECONNECT_MS = 1000;
const LONGEST_RECONNECT_MS = 30_000;
const MINUTE_MS = 60_000;

/** How the SDK opens event streams again that ended: as long as the connection stands, and slower each time it fails. */
export const reconnectionOptions = {
  initialReconnectionDelay: SHORTEST_RECONNECT_MS,
  maxReconnectionDelay: LONGEST_RECONNECT_MS,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.POSITIVE_INFINITY,
};

/** Waits as long as the server says, until it says too little too often. The SDK's `reconnectionScheduler`. */
export function pacedReconnects() {
  let recent: number[] = [];
  return (reconnect: () => void, delayMs: number) => {
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < MINUTE_MS), now];
    const tooMany = recent.length - QUICK_RECONNECTS;
    const shortest = tooMany <= 0 ? 0 : Math.min(LONGEST_RECONNECT_MS, SHORTEST_RECONNECT_MS * 2 ** (tooMany - 1));
    const timer = setTimeout(reconnect, Math.max(delayMs, shortest));
    return () => clearTimeout(timer);
  };
}

/** A fetch that notices when the stream on which a server tells by itself is open again, without what it told meanwhile. */
export function noticeReopened(fetch: Fetch, onReopened: () => void): Fetch {
  let wasOpen = false;
  const open: Fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !response.headers.get('content-type')?.includes('text/event-stream')) return response;
    // With the id of the last event the server sends what came after it.
    if (wasOpen && !new Headers(init?.headers).has('last-event-id')) onReopened();
    wasOpen = true;
    return response;
  };
  return (input, init) => (init?.method === 'GET' ? open(input, init) : fetch(input, init));
}
