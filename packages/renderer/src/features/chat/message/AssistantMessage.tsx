import type { Message, MessagePart } from '@shared/contracts/message-types.ts';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { modelName, modelState, useProviders } from '../../../stores/providers.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { MarkdownText } from '../markdown/MarkdownText.tsx';
import { ToolCard } from '../tools/ToolCard.tsx';
import { AnswerFooter } from './AnswerFooter.tsx';
import { ErrorPart } from './ErrorPart.tsx';
import type { MessageRowProps } from './MessageRow.tsx';
import { NoticePart } from './NoticePart.tsx';
import { ReasoningPart } from './ReasoningPart.tsx';
import { SummaryPart } from './SummaryPart.tsx';
import { Thinking } from './Thinking.tsx';
import { ContinueButton } from './turn-actions.tsx';

type Props = Omit<MessageRowProps, 'id'> & { message: Message };

/** One response of the model: its text and reasoning, the calls it made, and what the app has to say about it. */
export const AssistantMessage = memo(function AssistantMessage({ message, opens, closes, latest }: Props) {
  const { t } = useTranslation('chat');
  const streaming = message.status === 'streaming';
  const interrupted = message.status === 'interrupted' && !message.parts.some(isInterruptedNotice);
  return (
    <div className="flex flex-col gap-2 pt-2">
      {opens && <ModelLine message={message} />}
      {message.parts.map((part, index) => {
        const last = index === message.parts.length - 1;
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended or changed in place: the index is their identity
        return <Part key={index} part={part} growing={streaming && last} latest={latest} />;
      })}
      {streaming && message.parts.length === 0 && <Thinking />}
      {message.status === 'stopped' && closes && (
        <div className="flex min-h-7 flex-wrap items-center gap-3 text-muted text-sm">
          {t('message.stopped')}
          {latest && <ContinueButton />}
        </div>
      )}
      {interrupted && <NoticePart notice="interrupted" latest={latest} />}
      {closes && <AnswerFooter message={message} />}
    </div>
  );
});

const isInterruptedNotice = (part: MessagePart) => part.type === 'notice' && part.notice === 'interrupted';

const Part = memo(function Part({ part, growing, latest }: { part: MessagePart; growing: boolean; latest: boolean }) {
  switch (part.type) {
    case 'text':
      return part.text === '' ? null : <MarkdownText text={part.text} growing={growing} />;
    case 'reasoning':
      return <ReasoningPart text={part.text} growing={growing} />;
    case 'tool':
      return <ToolCard part={part} />;
    case 'notice':
      return <NoticePart notice={part.notice} values={part.values} latest={latest} />;
    case 'summary':
      return <SummaryPart summary={part} />;
    case 'error':
      return <ErrorPart error={part.error} latest={latest} />;
  }
});

function ModelLine({ message: { model } }: { message: Message }) {
  const { t } = useTranslation('chat');
  const providers = useProviders((state) => state.providers);
  const state = modelState(model ?? null, providers ?? []);
  const name = 'model' in state ? modelName(state.provider, state.model) : model?.modelId;
  return (
    <h2 className="flex items-center gap-2 font-medium text-muted text-sm">
      {name ?? t('message.assistant')}
      {'provider' in state && state.provider.format === 'demo' && <Badge tone="warning">{t('model.notAi')}</Badge>}
    </h2>
  );
}
