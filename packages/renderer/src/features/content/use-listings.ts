import { useEffect } from 'react';
import { type ContentKind, type Listings, useContent } from '../../stores/content.ts';
import { useServers } from '../../stores/servers.ts';

/** Whether there may be something to choose from: a server is ready whose list isn't known to be empty. */
export function mayOffer(kind: ContentKind): boolean {
  const known = useContent.getState()[kind];
  return (useServers.getState().servers ?? []).some(({ server, state }) => {
    const of = known[server.id];
    return state.status === 'ready' && (!of?.listing || of.stale || of.error || !isEmpty(of.listing));
  });
}

const isEmpty = (listing: Listings[ContentKind]): boolean =>
  'prompts' in listing
    ? listing.prompts.length === 0
    : listing.resources.length === 0 && listing.templates.length === 0;

/**
 * The servers that are ready, each with what is known of its list. It is fetched where it isn't known, and once each time that
 * somebody comes to see it: servers say how long theirs hold.
 */
export function useListings<Kind extends ContentKind>(kind: Kind) {
  const servers = useServers((state) => state.servers);
  const known = useContent((state) => state[kind]);
  const load = useContent((state) => state.load);
  const ready = (servers ?? []).filter(({ state }) => state.status === 'ready').map(({ server }) => server);
  const wanted = ready
    .filter(({ id }) => !known[id] || (known[id].stale && !known[id].loading))
    .map(({ id }) => id)
    .join(' ');

  // biome-ignore lint/correctness/useExhaustiveDependencies: servers that are ready later are among the wanted
  useEffect(() => {
    for (const { id } of ready) void load(kind, id);
  }, [kind, load]);

  useEffect(() => {
    for (const id of wanted.split(' ')) if (id !== '') void load(kind, id);
  }, [kind, wanted, load]);

  return ready.map((server) => ({ server, known: known[server.id], retry: () => load(kind, server.id, true) }));
}
