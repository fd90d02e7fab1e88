import type { Message } from '@shared/contracts/message-types.ts';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textOf } from '../../../stores/message-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { cx } from '../../../ui/cx.ts';
import { SentAttachments } from '../../content/SentAttachments.tsx';
import { SummaryPart } from './SummaryPart.tsx';

/** Longer messages are folded: in characters, and in lines. */
const FOLD_LENGTH = 2500;
const FOLD_LINES = 24;

/** What the person wrote, exactly as they wrote it. */
export const UserMessage = memo(function UserMessage({ message }: { message: Message }) {
  const { t } = useTranslation('chat');
  const [unfolded, setUnfolded] = useState(false);
  const text = textOf(message);
  const long = text.length > FOLD_LENGTH || text.split('\n', FOLD_LINES + 1).length > FOLD_LINES;
  const summary = message.parts.find((part) => part.type === 'summary');
  if (summary && text === '') return <SummaryPart summary={summary} />;
  return (
    <>
      {summary && <SummaryPart summary={summary} />}
      <div className="group/message flex flex-col items-end pt-6 pb-1">
        <h2 className="sr-only">{t('message.you')}</h2>
        <div
          dir="auto"
          className={cx(
            'max-w-[min(85%,72ch)] rounded-lg bg-surface-3 px-4 py-2.5 whitespace-pre-wrap [overflow-wrap:anywhere]',
            long && !unfolded && 'max-h-72 overflow-hidden [mask-image:linear-gradient(black_75%,transparent)]',
          )}
        >
          {text}
        </div>
        <SentAttachments parts={message.parts.filter((part) => part.type === 'attachment')} />
        <div className="flex h-7 items-center">
          {long && (
            <Button size="sm" variant="ghost" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
              {t(unfolded ? 'message.fold' : 'message.unfold')}
            </Button>
          )}
          <CopyButton
            text={() => text}
            label={t('message.copy')}
            className="opacity-0 focus-visible:opacity-100 group-hover/message:opacity-100"
          />
        </div>
      </div>
    </>
  );
});
