import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';

/** What a running call says about how far it is; nothing while it says nothing. */
export function ToolProgress({ progress }: { progress?: CallProgress }) {
  const { t } = useTranslation('chat');
  if (!progress) return null;
  const { progress: done, total, message } = progress;
  const known = total !== undefined && total > 0;
  return (
    <div data-testid="tool-progress" className="flex flex-col gap-1.5 px-3 pt-1 pb-2 pl-9.5">
      <ProgressBar value={known ? done / total : null} label={t('tool.progress')} />
      <p className="tabular text-muted text-xs [overflow-wrap:anywhere]">
        {message ? (
          <VisibleText text={message} />
        ) : known ? (
          t('tool.progressOf', { done, total })
        ) : (
          t('tool.progressAt', { done })
        )}
      </p>
    </div>
  );
}
