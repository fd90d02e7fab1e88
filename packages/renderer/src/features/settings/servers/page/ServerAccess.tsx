import type { McpLogLevel, ServerGrants } from '@shared/contracts/mcp-requests.contract.ts';
import { FolderPlus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { Group } from '../../shared/Group.tsx';

const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const satisfies McpLogLevel[];

/** What a server is granted besides running: the folders that it is told of, and how much it logs. */
export function ServerAccess({ serverId }: { serverId: string }) {
  const { t } = useTranslation('requests');
  const [grants, setGrants] = useState<ServerGrants | null>(null);
  const { run, busy, error } = useAction(async (change: Promise<ServerGrants>) => setGrants(await change));
  const { mcpRequests } = api();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bridge never changes
  useEffect(() => void run(unwrap(mcpRequests.grants({ serverId }))), [run, serverId]);

  return (
    <div className="flex flex-col gap-6">
      {error && <ErrorNote error={error} />}
      <Group title={t('grants.roots')} text={t('grants.rootsText')}>
        <ul className="flex flex-col gap-1 pb-2.5">
          {grants?.roots.map((folder) => (
            <li key={folder} className="flex items-center gap-2 rounded-lg bg-code py-1 pr-1 pl-3">
              <span className="min-w-0 grow font-mono text-sm [overflow-wrap:anywhere]">
                <VisibleText text={folder} />
              </span>
              <IconButton
                icon={X}
                label={t('grants.removeRoot', { folder })}
                onClick={() => void run(unwrap(mcpRequests.removeRoot({ serverId, folder })))}
                className="size-7 shrink-0"
              />
            </li>
          ))}
          {grants?.roots.length === 0 && <li className="text-muted text-sm">{t('grants.noRoots')}</li>}
        </ul>
        <Button
          size="sm"
          icon={FolderPlus}
          busy={busy}
          onClick={() => void run(unwrap(mcpRequests.addRoot({ serverId })))}
        >
          {t('grants.addRoot')}
        </Button>
      </Group>
      <Group title={t('grants.logLevel')} text={t('grants.logLevelText')}>
        <div className="max-w-60">
          <Select
            aria-label={t('grants.logLevel')}
            value={grants?.logLevel ?? 'default'}
            disabled={grants === null}
            onChange={(level) =>
              void run(unwrap(mcpRequests.setLogLevel({ serverId, level: level === 'default' ? null : level })))
            }
            options={(['default', ...LEVELS] as const).map((value) => ({ value, label: t(`grants.level.${value}`) }))}
          />
        </div>
      </Group>
    </div>
  );
}
