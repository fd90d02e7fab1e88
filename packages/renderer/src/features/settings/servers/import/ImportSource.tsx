import type { McpImportSource } from '@shared/contracts/mcp-import.contract.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { MoreButton } from '../../shared/MoreButton.tsx';
import { usePaged } from '../../shared/usePaged.ts';
import { FoundServer } from './FoundServer.tsx';
import { InputFields } from './InputFields.tsx';
import type { Import } from './useImport.ts';

/** So many servers of one file are shown at first. */
const PAGE = 20;

/** One file of another program, with its servers. */
export function ImportSource({ source, state }: { source: McpImportSource; state: Import }) {
  const { t } = useTranslation('servers');
  const { program, path, project, error, servers, problems } = source;
  const list = usePaged(servers, PAGE);
  const fresh = servers.filter((server) => server.status === 'new' && state.canTick(server));
  const unticked = fresh.filter((server) => !state.isTicked(server));
  const needed = state.neededOf(source);
  return (
    <section
      data-testid="import-source"
      aria-label={t('import.program', { program, path })}
      className="flex flex-col gap-3"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="font-medium text-sm">
            {program}
            {!error && (
              <span className="tabular font-normal text-muted"> · {t('import.count', { count: servers.length })}</span>
            )}
          </h2>
          <p className="font-mono text-muted text-xs [overflow-wrap:anywhere]">
            <VisibleText text={path} />
          </p>
          {project !== undefined && (
            <p className="text-muted text-xs [overflow-wrap:anywhere]">
              <VisibleText text={t('import.project', { folder: project })} />
            </p>
          )}
        </div>
        {unticked.length > 0 && (
          <Button size="sm" variant="ghost" onClick={() => state.tick(unticked, true)}>
            {t('import.tickNew', { count: unticked.length })}
          </Button>
        )}
      </header>
      {error && <ErrorNote error={{ message: t('import.unreadable'), hint: error }} />}
      {!error && servers.length + problems.length === 0 && <p className="text-muted text-sm">{t('import.none')}</p>}
      {problems.map(({ name, reason }) => (
        <ErrorNote key={name} error={{ message: t('json.problem', { name: visibleString(name) }), hint: reason }} />
      ))}
      {servers.length > 0 && (
        <ul className="flex flex-col gap-3">
          {list.shown.map((server) => (
            <FoundServer key={server.key} server={server} state={state} />
          ))}
        </ul>
      )}
      <MoreButton rest={list.rest} onMore={list.more} />
      {needed.length > 0 && (
        <InputFields
          needed={needed}
          values={state.valuesOf(source)}
          showMissing={state.showMissing}
          onChange={(input, value) => state.setValue(source, input, value)}
        />
      )}
    </section>
  );
}
