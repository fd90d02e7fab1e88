import type { McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import { ClipboardPaste, Download, Ellipsis, Plus, Upload, Wrench } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { EmptyState } from '../../../../ui/EmptyState.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Menu } from '../../../../ui/Menu.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { SectionPage } from '../../shared/SectionPage.tsx';
import { useFocusId } from '../../shared/useFocusId.ts';
import { ExportDialog } from '../import/ExportDialog.tsx';
import { PasteJsonDialog } from '../json/PasteJsonDialog.tsx';
import type { ServersPage } from '../page-state.ts';
import { CostNote } from '../tools/CostNote.tsx';
import { useToolCosts } from '../tools/useToolFacts.ts';
import { useToolFormat } from '../tools/useToolFormat.ts';
import { ServerRow } from './ServerRow.tsx';

/** From this many servers on, the list can be searched. */
const SEARCH_FROM = 10;

export function ServerList({
  servers,
  page,
  go,
}: {
  /** Null while they are not known. */
  servers: readonly McpServerStatus[] | null;
  page: ServersPage;
  go: (page: ServersPage) => void;
}) {
  const { t } = useTranslation('servers');
  const [pasting, setPasting] = useState(false);
  const [exporting, setExporting] = useState(false);
  const [query, setQuery] = useState('');
  const { format, model } = useToolFormat();
  const costs = useToolCosts(format);
  useFocusId(page.name === 'list' ? page.focus : undefined, page);
  const wanted = query.trim().toLowerCase();
  const shown = servers?.filter(({ server }) => server.name.toLowerCase().includes(wanted)) ?? [];

  const exportItem = {
    label: t('export.open'),
    icon: Upload,
    disabled: !servers?.some(({ server }) => server.builtin === undefined),
    onSelect: () => setExporting(true),
  };
  const actions = (
    <>
      <Button
        icon={Download}
        data-testid="import-servers"
        data-focus-id="import"
        onClick={() => go({ name: 'import' })}
      >
        {t('import.open')}
      </Button>
      <Button icon={ClipboardPaste} data-testid="paste-json" onClick={() => setPasting(true)}>
        {t('pasteJson')}
      </Button>
      <Button
        variant="primary"
        icon={Plus}
        data-testid="add-server"
        data-focus-id="add"
        onClick={() => go({ name: 'add' })}
      >
        {t('add')}
      </Button>
      {servers?.length !== 0 && (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={t('export.menu')} className="-mr-2.5" />}
          items={[exportItem]}
        />
      )}
    </>
  );

  return (
    <SectionPage title={t('title')} lead={t('lead')} actions={servers?.length === 0 ? undefined : actions}>
      {servers === null && <Skeleton className="h-40 w-full" />}
      {servers?.length === 0 && (
        <EmptyState icon={Wrench} title={t('empty.title')} actions={actions}>
          {t('empty.text')}
        </EmptyState>
      )}
      {servers !== null && servers.length > 0 && (
        <div className="flex flex-col gap-3">
          {servers.length >= SEARCH_FROM && <SearchInput value={query} onChange={setQuery} label={t('search')} />}
          {shown.length === 0 ? (
            <p className="py-6 text-center text-muted text-sm">{t('noMatch')}</p>
          ) : (
            <Card>
              <ul aria-label={t('title')} className="divide-y divide-border">
                {shown.map((status) => (
                  <ServerRow
                    key={status.server.id}
                    status={status}
                    cost={costs?.servers.find(({ serverId }) => serverId === status.server.id)}
                    go={go}
                  />
                ))}
              </ul>
            </Card>
          )}
          {costs !== null && costs.toolCount > 0 && <CostNote costs={costs} model={model} />}
        </div>
      )}
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {pasting && <PasteJsonDialog onClose={() => setPasting(false)} />}
    </SectionPage>
  );
}
