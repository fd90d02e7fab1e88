import type { MessagePart } from '@shared/contracts/message-types.ts';
import { useTranslation } from 'react-i18next';
import { Disclosure } from '../../../ui/Disclosure.tsx';
import { MarkdownText } from '../markdown/MarkdownText.tsx';

type Summary = Extract<MessagePart, { type: 'summary' }>;

/** A quiet divider: from here on the model reads a summary of what is above. Opens to it. */
export function SummaryPart({ summary: { text, rows } }: { summary: Summary }) {
  const { t } = useTranslation('agent');
  return (
    <div data-testid="summary" className="border-border border-t pt-1">
      <Disclosure label={t('summary.label')}>
        <div className="flex flex-col gap-3 border-border border-l-2 py-1 pl-4 text-muted text-sm">
          <p>{t('summary.rows', { count: rows })}</p>
          <MarkdownText text={text} growing={false} />
        </div>
      </Disclosure>
    </div>
  );
}
