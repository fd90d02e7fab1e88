import type { Message } from '@shared/contracts/message-types.ts';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { textOf } from '../../../stores/message-text.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { answerRows } from './answer-rows.ts';

/** Under a whole answer: copy it, and what it cost. Takes its room while the answer still grows, so that nothing moves. */
export function AnswerFooter({ message }: { message: Message }) {
  const { t } = useTranslation('chat');
  const input = useChat((state) => sum(answerRows(state, message.id), 'inputTokens'));
  const output = useChat((state) => sum(answerRows(state, message.id), 'outputTokens'));
  const hasText = useChat((state) => answerRows(state, message.id).some((row) => textOf(row) !== ''));
  const done = message.status !== 'streaming';
  const answer = () => answerRows(useChat.getState(), message.id).map(textOf).filter(Boolean).join('\n\n');
  return (
    <footer className="group/footer flex h-8 items-center gap-2 text-muted text-xs">
      {done && (
        <>
          {hasText && <CopyButton text={answer} label={t('message.copyAnswer')} className="-ml-2" />}
          {input + output > 0 && (
            <span className="tabular opacity-80" title={t('usage.title')}>
              {t('usage.tokens', { input: input.toLocaleString('en-GB'), output: output.toLocaleString('en-GB') })}
            </span>
          )}
        </>
      )}
    </footer>
  );
}

const sum = (rows: readonly Message[], key: 'inputTokens' | 'outputTokens'): number =>
  rows.reduce((total, { usage }) => total + (usage?.[key] ?? 0), 0);
