import type { CallOutput } from '@shared/contracts/contract.ts';
import type { SettingsContract } from '@shared/contracts/settings.contract.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { unwrap } from '../../../bridge/errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { Group } from '../shared/Group.tsx';

type Allowed = CallOutput<SettingsContract, 'listAlwaysAllowed'>;

/** The tools that run without asking, and a way to be asked again. */
export function AlwaysAllowed() {
  const { t } = useTranslation('settings');
  const [allowed, setAllowed] = useState<Allowed | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const load = useAction(async () => setAllowed(await unwrap(api().settings.listAlwaysAllowed())));
  const revoke = useAction(async ({ serverId, toolName }: Allowed[number]) => {
    await unwrap(api().settings.revokeAlwaysAllowed({ serverId, toolName }));
    setAllowed(await unwrap(api().settings.listAlwaysAllowed()));
    // The button that was pressed goes away with its row.
    area.current?.focus();
  });
  const { run } = load;
  useEffect(() => void run(), [run]);
  const error = load.error ?? revoke.error;

  return (
    <Group title={t('general.allowed')} text={t('general.allowedText')}>
      <div ref={area} tabIndex={-1} className="outline-none">
        {error && <ErrorNote error={error} />}
        {allowed?.length === 0 && <p className="text-muted text-sm">{t('general.allowedEmpty')}</p>}
        {allowed !== null && allowed.length > 0 && (
          <Card>
            <ul className="divide-y divide-border">
              {allowed.map((entry) => (
                <li
                  key={`${entry.serverId} ${entry.toolName}`}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2 text-sm"
                >
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    <code className="font-mono">{entry.toolName}</code>
                    <span className="text-muted"> · {entry.serverName}</span>
                  </span>
                  <Button
                    size="sm"
                    aria-label={t('general.revokeLabel', { tool: entry.toolName, server: entry.serverName })}
                    onClick={() => revoke.run(entry)}
                  >
                    {t('general.revoke')}
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </Group>
  );
}
