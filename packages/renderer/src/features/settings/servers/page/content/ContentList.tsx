import type { McpServerState, McpServerView } from '@shared/contracts/mcp-types.ts';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ContentKind, type Known, type Listings, useContent } from '../../../../../stores/content.ts';
import { Button } from '../../../../../ui/Button.tsx';
import { Disclosure } from '../../../../../ui/Disclosure.tsx';
import { ErrorNote } from '../../../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../../../ui/Skeleton.tsx';
import { VisibleText } from '../../../../../ui/VisibleText.tsx';
import { SearchInput } from '../../../shared/SearchInput.tsx';

/** What a server lists of one kind, kept up to date, around the list itself: search, refresh, and why there is nothing. */
export function ContentList<Kind extends ContentKind>({
  kind,
  server,
  state,
  isEmpty,
  children,
}: {
  kind: Kind;
  server: McpServerView;
  state: McpServerState;
  isEmpty: (listing: Listings[Kind]) => boolean;
  children: (listing: Listings[Kind], matches: (...texts: (string | undefined)[]) => boolean) => ReactNode;
}) {
  const { t } = useTranslation('content');
  const known = useContent((store) => store[kind][server.id]) as Known<Listings[Kind]> | undefined;
  const load = useContent((store) => store.load);
  const [query, setQuery] = useState('');
  const isReady = state.status === 'ready';
  const isWanted = isReady && (!known || (known.stale && !known.loading));

  // Whoever comes to see it gets it as main knows it: servers say how long their lists hold.
  useEffect(() => {
    if (isReady) void load(kind, server.id);
  }, [isReady, kind, server.id, load]);

  useEffect(() => {
    if (isWanted) void load(kind, server.id);
  }, [isWanted, kind, server.id, load]);

  const wanted = query.trim().toLowerCase();
  const matches = (...texts: (string | undefined)[]) => texts.some((text) => text?.toLowerCase().includes(wanted));
  const listing = isReady ? known?.listing : undefined;

  return (
    <section aria-label={t(kind)} className="flex flex-col gap-3">
      {isReady && (
        <div className="flex items-center gap-2">
          <SearchInput
            value={query}
            onChange={setQuery}
            label={t(kind === 'resources' ? 'findResource' : 'findPrompt')}
          />
          <Button icon={RefreshCw} busy={known?.loading} onClick={() => void load(kind, server.id, true)}>
            {t('refresh')}
          </Button>
        </div>
      )}
      {isReady && known?.error && <ErrorNote error={known.error} />}
      {isReady && !listing && !known?.error && <Skeleton className="h-40 w-full" />}
      {!isReady && <Quiet>{t(state.status === 'off' ? 'whenOn' : 'whenReady')}</Quiet>}
      {listing && isEmpty(listing) && (
        <Quiet>{t(kind === 'resources' ? 'offersNoResources' : 'offersNoPrompts')}</Quiet>
      )}
      {listing && children(listing, matches)}
      {listing && listing.rejected.length > 0 && (
        <Disclosure label={t('rejected', { count: listing.rejected.length })}>
          <ul className="flex flex-col gap-1.5 pt-1.5 text-sm">
            {listing.rejected.map(({ name, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names of bad entries may repeat, and the list never changes
              <li key={index} className="[overflow-wrap:anywhere]">
                <code className="font-mono">
                  <VisibleText text={name} />
                </code>
                <span className="text-muted"> · {reason}</span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </section>
  );
}

export const Quiet = ({ children }: { children: ReactNode }) => (
  <p className="py-6 text-center text-muted text-sm">{children}</p>
);
