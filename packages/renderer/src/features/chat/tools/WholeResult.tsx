import type { ToolPart } from '@shared/contracts/message-types.ts';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { unwrap } from '../../../bridge/errors.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { formatBytes } from './duration.ts';

/** Says that a result was cut, and opens the whole of it where it was kept. */
export function WholeResult({ whole }: { whole: NonNullable<NonNullable<ToolPart['result']>['whole']> }) {
  const { t } = useTranslation('chat');
  const { id } = whole;
  const open = useAction(async () => {
    if (id !== undefined) await unwrap(api().results.open({ id }));
  });
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <p>{t(id === undefined ? 'tool.cutAndLost' : 'tool.cut', { size: formatBytes(whole.characters) })}</p>
        {id !== undefined && (
          <Button size="sm" icon={ExternalLink} busy={open.busy} onClick={() => open.run()}>
            {t('tool.openWhole')}
          </Button>
        )}
      </div>
      {open.error && <ErrorNote error={open.error} />}
    </div>
  );
}
