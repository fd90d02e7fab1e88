import type { ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { FormRequest } from './FormRequest.tsx';
import { SamplingRequest } from './SamplingRequest.tsx';
import { UrlRequest } from './UrlRequest.tsx';
import { type Answering, useAnswer } from './use-answer.ts';

/** What every kind of request gets: how to answer, and how to say that something was typed in. */
export interface RequestBodyProps<Kind extends ServerRequest['question']['kind']> {
  question: Extract<ServerRequest['question'], { kind: Kind }>;
  answering: Answering;
  /** Told whether leaving would lose what was typed in. */
  onTyped: (typed: boolean) => void;
}

/**
 * One request of a server, to be answered. Esc cancels it, after a question when something was typed in.
 * @param leave counts up when something outside, such as the dialog around it, wants to cancel
 */
export function RequestView({ request, leave = 0 }: { request: ServerRequest; leave?: number }) {
  const { t } = useTranslation('requests');
  const answering = useAnswer(request);
  const [confirming, setConfirming] = useState(false);
  const typed = useRef(false);
  const onTyped = (now: boolean) => {
    typed.current = now;
  };
  const { question } = request;

  const cancel = () => {
    if (question.kind === 'url' && question.opened) answering.answer({ action: 'done' });
    else if (typed.current) setConfirming(true);
    else answering.answer({ action: 'cancel' });
  };
  const latestCancel = useRef(cancel);
  latestCancel.current = cancel;
  useEffect(() => {
    if (leave > 0) latestCancel.current();
  }, [leave]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes Esc from the controls within
    <div
      data-testid="server-request"
      data-kind={question.kind}
      // With the edge of the card around it, when it is brought into view.
      className="flex min-w-0 scroll-my-5 flex-col gap-4"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing || confirming) return;
        // A list of choices that is open closes first.
        if ((event.target as Element).closest('[role="listbox"]')) return;
        event.preventDefault();
        event.stopPropagation();
        cancel();
      }}
    >
      <Body question={question} answering={answering} onTyped={onTyped} />
      {answering.error && <ErrorNote error={answering.error} />}
      <ConfirmDialog
        open={confirming}
        title={t('leave.title')}
        description={t('leave.text')}
        confirmLabel={t('leave.confirm')}
        onConfirm={() => {
          setConfirming(false);
          answering.answer({ action: 'cancel' });
        }}
        onClose={() => setConfirming(false)}
      />
    </div>
  );
}

function Body({
  question,
  ...rest
}: { question: ServerRequest['question'] } & Omit<RequestBodyProps<'form'>, 'question'>) {
  switch (question.kind) {
    case 'form':
      return <FormRequest question={question} {...rest} />;
    case 'url':
      return <UrlRequest question={question} {...rest} />;
    case 'sampling':
      return <SamplingRequest question={question} {...rest} />;
  }
}

/** The server's own words. */
export const Said = ({ text }: { text: string }): ReactNode =>
  text === '' ? null : (
    <p className="max-h-60 overflow-y-auto whitespace-pre-wrap text-sm [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
      <VisibleText text={text} />
    </p>
  );
