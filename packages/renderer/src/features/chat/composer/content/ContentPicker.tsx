import type { McpPrompt, McpResource, McpResourceTemplate } from '@shared/contracts/mcp-content-types.ts';
import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { Command } from 'cmdk';
import { FileText, MessageSquareText, RotateCw, Search, SquareAsterisk } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentKind } from '../../../../stores/content.ts';
import { Spinner } from '../../../../ui/Spinner.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { useListings } from '../../../content/use-listings.ts';

export type Picked = { server: McpServerView } & (
  | { resource: McpResource }
  | { template: McpResourceTemplate }
  | { prompt: McpPrompt }
);

interface Entry {
  key: string;
  icon: typeof FileText;
  title: string;
  /** Below it: what it is, or where. */
  detail: string;
  /** A word at the end of the row. */
  mark?: string;
  search: string;
  picked: Picked;
}

/** How many entries of one server are shown; typing narrows the list. */
const SHOWN = 50;

export interface PickerProps {
  kind: ContentKind;
  /** What is searched for. */
  query: string;
  onQuery: (query: string) => void;
  onPick: (picked: Picked) => void;
  /** Called when nothing can come of what was typed: nothing is in the lists, or nothing that is searched for. */
  onNothing: () => void;
  /** Called by Backspace where nothing is searched for. */
  onTakeBack: () => void;
}

/** Every resource, or every prompt, of the servers that are connected: to be searched and chosen from. Loaded when first opened. */
export default function ContentPicker({ kind, query, onQuery, onPick, onNothing, onTakeBack }: PickerProps) {
  const { t } = useTranslation('content');
  /** An input method is at work in the search, which would break off if the focus went. */
  const [composing, setComposing] = useState(false);
  const listings = useListings(kind);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  const words = query.trim().toLowerCase().split(/\s+/);
  const groups = listings.map(({ server, known, retry }) => {
    const entries = known?.listing ? entriesOf(server, known.listing, t('template')) : [];
    const found = entries.filter(({ search }) => words.every((word) => search.includes(word)));
    return { server, known, retry, entries, found };
  });
  const anything = groups.some(({ entries }) => entries.length > 0);
  const shownGroups = groups.filter(({ known, found }) => !known?.listing || known.error || found.length > 0);
  const settled = groups.every(({ known }) => known?.listing || known?.error);
  const failed = groups.some(({ known }) => known?.error);
  const found = groups.some(({ found }) => found.length > 0);
  // A sentence that goes on isn't kept waiting for the list of a slow server.
  const isText = /\s/.test(query);
  const nothing = !composing && !found && (settled ? query.trim() !== '' || !failed : isText);

  // biome-ignore lint/correctness/useExhaustiveDependencies: said once
  useEffect(() => {
    if (nothing) onNothing();
  }, [nothing]);

  return (
    <Command
      label={t(kind)}
      loop
      shouldFilter={false}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      <div className="flex items-center gap-2 border-border border-b px-3">
        <Search size={16} aria-hidden className="text-muted" />
        <Command.Input
          ref={search}
          data-testid="content-search"
          value={query}
          onValueChange={onQuery}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
          onKeyDown={(event) => {
            if (composing) return;
            if (event.key === 'Backspace' && query === '') onTakeBack();
            else if (event.key === 'Enter' && !found && !settled && !failed) onNothing();
            else return;
            event.preventDefault();
          }}
          placeholder={t(kind === 'resources' ? 'searchResources' : 'searchPrompts')}
          className="h-10 min-w-0 grow bg-transparent text-sm outline-none"
        />
      </div>
      <Command.List className="max-h-[min(320px,calc(var(--radix-popover-content-available-height)-44px))] overflow-y-auto p-1">
        {shownGroups.map(({ server, known, retry, found }) => (
          <Command.Group key={server.id} heading={server.name}>
            {known?.error && (
              <Row value={`${server.id} retry`} onSelect={() => void retry()}>
                <RotateCw size={16} aria-hidden className="shrink-0 text-danger" />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {t('failed', { server: server.name, message: known.error.message })} {t('tryAgain')}
                </span>
              </Row>
            )}
            {!known?.error && !known?.listing && (
              <p role="status" className="flex min-h-8 items-center gap-2.5 px-2 text-muted text-sm">
                <Spinner />
                {t('loading', { server: server.name })}
              </p>
            )}
            {found.slice(0, SHOWN).map((entry) => (
              <Row key={entry.key} value={entry.key} onSelect={() => onPick(entry.picked)}>
                <EntryView entry={entry} />
              </Row>
            ))}
            {found.length > SHOWN && (
              <p className="px-2 py-1.5 text-muted text-xs">{t('more', { count: found.length - SHOWN })}</p>
            )}
          </Command.Group>
        ))}
        {shownGroups.length === 0 && (
          <p role="status" className="px-3 py-6 text-center text-muted text-sm">
            {t(emptyText(kind, groups.length > 0, anything))}
          </p>
        )}
      </Command.List>
    </Command>
  );
}

function emptyText(kind: ContentKind, anyServer: boolean, anything: boolean) {
  if (anything) return 'noMatch';
  if (!anyServer) return 'noServers';
  return kind === 'resources' ? 'noResources' : 'noPrompts';
}

type Listing = { resources: McpResource[]; templates: McpResourceTemplate[] } | { prompts: McpPrompt[] };

function entriesOf(server: McpServerView, listing: Listing, templateWord: string): Entry[] {
  if ('prompts' in listing) {
    return listing.prompts.map((prompt) => ({
      key: `${server.id} prompt ${prompt.name}`,
      icon: MessageSquareText,
      title: prompt.title ?? prompt.name,
      detail: prompt.description ?? '',
      search: searchText(server, prompt),
      picked: { server, prompt },
    }));
  }
  return [
    ...listing.resources.map((resource) => ({
      key: `${server.id} resource ${resource.uri}`,
      icon: FileText,
      title: resource.title ?? resource.name,
      detail: resource.uri,
      search: searchText(server, resource, resource.uri),
      picked: { server, resource },
    })),
    ...listing.templates.map((template) => ({
      key: `${server.id} template ${template.uriTemplate}`,
      icon: SquareAsterisk,
      title: template.title ?? template.name,
      detail: template.uriTemplate,
      mark: templateWord,
      search: searchText(server, template, template.uriTemplate),
      picked: { server, template },
    })),
  ];
}

const searchText = (
  server: McpServerView,
  { name, title = '', description = '' }: { name: string; title?: string; description?: string },
  address = '',
): string => [server.name, name, title, description, address].join('\n').toLowerCase();

function EntryView({ entry: { icon: Icon, title, detail, mark } }: { entry: Entry }) {
  return (
    <>
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 grow py-1">
        <span className="block truncate">
          <VisibleText text={title} />
        </span>
        {detail && (
          <span className="block truncate text-muted text-xs">
            <VisibleText text={detail} />
          </span>
        )}
      </span>
      {mark && <span className="shrink-0 text-muted text-xs">{mark}</span>}
    </>
  );
}

function Row(props: { value: string; onSelect: () => void; children: ReactNode }) {
  return (
    <Command.Item
      {...props}
      className="flex min-h-8 items-center gap-2.5 rounded-sm px-2 text-sm outline-none select-none data-[selected=true]:bg-surface-3"
    />
  );
}
