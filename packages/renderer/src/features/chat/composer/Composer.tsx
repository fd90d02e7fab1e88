import { ArrowUp, AtSign, Square, SquareSlash } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { draftOf, useDrafts } from '../../../stores/drafts.ts';
import { useSettings } from '../../../stores/settings.ts';
import { cx } from '../../../ui/cx.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useActiveModel } from '../model.ts';
import { sendDraft } from '../send.ts';
import { ContentPanel } from './content/ContentPanel.tsx';
import { DraftAttachments } from './content/DraftAttachments.tsx';
import { useComposerContent } from './content/useComposerContent.tsx';
import { COMPOSER_ID } from './focus.ts';
import { ModelProblem } from './ModelProblem.tsx';
import { ServersDown } from './ServersDown.tsx';
import { isSendKey } from './send-key.ts';

/** How the composer of a run differs: what is written while it goes on can be said to it. */
export interface ComposerOfRun {
  /** Answers whether it was taken; false when the run has ended, so that it is sent as a message. */
  say: (text: string) => Promise<boolean>;
  words: { label: string; placeholder: string; placeholderRunning: string; say: string; hintRunning: string };
}

/** Where the person writes. The draft belongs to its conversation and stays until it has been sent. */
export function Composer({ onSent, run }: { onSent: () => void; run?: ComposerOfRun }) {
  const { t } = useTranslation(['chat', 'common', 'content']);
  const conversationId = useConversations((state) => state.selectedId);
  const draft = useDrafts((state) => draftOf(state, conversationId));
  const write = useDrafts((state) => state.write);
  const running = useChat((state) => state.running);
  const stopping = useChat((state) => state.stopping);
  const stop = useChat((state) => state.stop);
  const sendWithModifier = useSettings((state) => state.settings?.sendWithModifier ?? false);
  const model = useActiveModel();
  const words = run?.words ?? {
    label: t('composer.label'),
    placeholder: t('composer.placeholder'),
    placeholderRunning: t('composer.placeholderRunning'),
    hintRunning: t('composer.hintRunning'),
  };
  const input = useRef<HTMLTextAreaElement>(null);
  /** Send was asked for before it was known to which model. */
  const [queued, setQueued] = useState(false);

  const send = useAction(async () => {
    if (!model.ref) return;
    if (run && running && (await run.say(draft.trim()))) write(conversationId, '');
    else await sendDraft(draft, model.ref);
    onSent();
  });
  const stopAction = useAction(stop);
  const content = useComposerContent(conversationId);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is what it is about
  useEffect(() => {
    input.current?.focus();
    setQueued(false);
    send.clearError();
    stopAction.clearError();
    content.insert.clearError();
  }, [conversationId]);

  const saying = run !== undefined && running;
  const sendable = draft.trim() !== '' && (!running || saying) && !send.busy;
  const canSend = sendable && (model.state.kind === 'ready' || !model.known);
  const submit = () => {
    if (!canSend) return;
    if (model.known) void send.run();
    else setQueued(true);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: sends once, when the model becomes known
  useEffect(() => {
    if (!model.known || !queued) return;
    setQueued(false);
    submit();
  }, [model.known, queued]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event, sendWithModifier)) return;
    event.preventDefault();
    submit();
  };

  return (
    <div className="column beside-scrollbar relative flex flex-col gap-2 pb-4">
      {send.error && <ErrorNote error={send.error} />}
      {stopAction.error && <ErrorNote error={stopAction.error} />}
      {content.insert.error && <ErrorNote error={content.insert.error} />}
      <ModelProblem state={model.state} />
      <DraftAttachments conversationId={conversationId} />
      <ContentPanel
        {...content.panel}
        anchor={
          <form
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
            className="flex items-end gap-1 rounded-lg border border-border-strong bg-surface-2 p-1.5 transition-colors focus-within:border-accent focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1"
          >
            <div className="flex h-9 shrink-0 items-center">
              <IconButton
                icon={AtSign}
                label={t('content:attach')}
                data-testid="attach-button"
                disabled={saying}
                onClick={() => content.show('resources')}
              />
              <IconButton
                icon={SquareSlash}
                label={t('content:insertPrompt')}
                data-testid="prompt-button"
                disabled={content.insert.busy || saying}
                onClick={() => content.show('prompts')}
              />
            </div>
            <textarea
              ref={input}
              id={COMPOSER_ID}
              data-testid="composer-input"
              value={draft}
              rows={1}
              dir="auto"
              aria-label={words.label}
              placeholder={running ? words.placeholderRunning : words.placeholder}
              onChange={(event) => {
                write(conversationId, event.target.value);
                if (!saying) content.noteTyped(event);
              }}
              onKeyDown={onKeyDown}
              className="field-sizing-content max-h-60 min-h-9 grow resize-none bg-transparent py-1.5 text-base outline-none"
            />
            {running && !saying ? (
              <RoundButton
                testId="stop-button"
                label={stopping ? t('composer.stopping') : t('composer.stop')}
                disabled={stopping}
                onClick={() => void stopAction.run()}
                look="bg-text text-surface-1"
              >
                {stopping ? <Spinner size={16} /> : <Square size={14} fill="currentColor" aria-hidden />}
              </RoundButton>
            ) : (
              <RoundButton
                testId="send-button"
                type="submit"
                label={saying ? run.words.say : t('composer.send')}
                disabled={!canSend || queued}
                look="bg-accent text-on-accent enabled:hover:bg-accent-hover"
              >
                {send.busy || queued ? <Spinner size={16} /> : <ArrowUp size={20} aria-hidden />}
              </RoundButton>
            )}
          </form>
        }
      />
      {content.dialog}
      <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
        {/* As high as the line of the hint, so that nothing moves when it comes and goes. */}
        <div className="-my-1.5 flex min-w-0">
          <ServersDown />
        </div>
        <ComposerHint
          sendWithModifier={sendWithModifier}
          running={running ? words.hintRunning : null}
          queued={queued}
        />
      </div>
    </div>
  );
}

function RoundButton({
  testId,
  label,
  look,
  ...rest
}: {
  testId: string;
  label: string;
  look: string;
  type?: 'submit';
  disabled: boolean;
  onClick?: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        data-testid={testId}
        aria-label={label}
        className={cx(
          'flex size-9 shrink-0 items-center justify-center rounded-md transition-colors enabled:active:translate-y-px disabled:opacity-45',
          look,
        )}
      />
    </Tooltip>
  );
}

function ComposerHint({
  sendWithModifier,
  running,
  queued,
}: {
  sendWithModifier: boolean;
  /** What to say while a turn runs; null while none does. */
  running: string | null;
  queued: boolean;
}) {
  const { t } = useTranslation('chat');
  const idle = sendWithModifier ? 'composer.hintModifier' : 'composer.hint';
  return (
    <p role={queued ? 'status' : undefined} className="text-center text-muted text-xs select-none short:sr-only">
      {queued ? t('composer.hintQueued') : (running ?? t(idle))}
    </p>
  );
}
