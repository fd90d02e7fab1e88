import type { MessagePart } from '@shared/contracts/message-types.ts';
import type { TFunction } from 'i18next';
import { Info, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Disclosure } from '../../../ui/Disclosure.tsx';
import { FoldedText } from '../tools/FoldedText.tsx';
import { ContinueButton, ProceedButton } from './turn-actions.tsx';

type Notice = Extract<MessagePart, { type: 'notice' }>;

/** What the app has to say at this place of the conversation, with the way on where there is one. */
export function NoticePart({ notice, values, latest }: Pick<Notice, 'notice' | 'values'> & { latest: boolean }) {
  const { t } = useTranslation(['chat', 'common']);
  const canProceed = notice === 'round-limit' || notice === 'repeating' || notice === 'token-budget';
  return (
    <div data-testid="message-notice" data-notice={notice} className="flex items-start gap-2.5 py-1 text-muted text-sm">
      {notice === 'server-failed' ? (
        <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      ) : (
        <Info size={16} aria-hidden className="mt-0.5 shrink-0" />
      )}
      <div className="flex min-w-0 flex-col items-start gap-2">
        <p
          className="[overflow-wrap:anywhere]"
          title={notice === 'tools-refused' ? String(values?.tools ?? '') : undefined}
        >
          {textOf(notice, values, t)}
        </p>
        {notice === 'server-failed' && values?.details && (
          <Disclosure label={t('common:error.details')}>
            <FoldedText text={String(values.details)} isError={false} />
          </Disclosure>
        )}
        {latest && canProceed && <ProceedButton />}
        {latest && notice === 'interrupted' && <ContinueButton />}
      </div>
    </div>
  );
}

function textOf(notice: Notice['notice'], values: Notice['values'], t: TFunction<['chat', 'common']>): string {
  if (notice === 'servers-late' && values?.servers !== undefined) {
    const servers = String(values.servers);
    return t('notice.servers-late_named', { servers, count: servers.split(', ').length });
  }
  if (notice === 'tools-refused' && values?.count !== undefined) {
    return t('notice.tools-refused_counted', { tools: values.count, reason: values.reason });
  }
  const tokens = typeof values?.tokens === 'number' ? values.tokens.toLocaleString('en-GB') : values?.tokens;
  return t(`notice.${notice}`, {
    rounds: values?.rounds ?? '',
    tokens: tokens ?? '',
    tools: values?.tools ?? '',
    servers: values?.servers ?? '',
    reason: values?.reason ?? '',
  });
}
