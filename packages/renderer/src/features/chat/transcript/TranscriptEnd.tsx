import { FoldVertical, Hourglass, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { Thinking } from '../message/Thinking.tsx';
import { ResumeButton, useIsRun } from '../message/turn-actions.tsx';

/** Below the last message: what the turn is waiting for, while it shows nothing else. */
export function TranscriptEnd() {
  const waiting = useChat((state) => state.waiting);
  const showsThinking = useChat(answerIsDue);
  const isRun = useIsRun();
  const unanswered = useChat(({ running, rows }) => !running && rows.at(-1)?.role === 'user');
  return (
    <div className="column min-h-6 pb-6">
      {waiting?.for === 'summary' && <Summarising />}
      {waiting?.for === 'servers' && <ServersLate names={waiting.serverNames} />}
      {waiting?.for === 'retry' && <RetryCountdown at={waiting.at} message={waiting.error.message} />}
      {!waiting && showsThinking && <Thinking />}
      {isRun && unanswered && <ResumeButton />}
    </div>
  );
}

/** Whether a turn runs of which nothing on the screen says so: before its first row, and between two rounds. */
function answerIsDue({ running, rows, messages }: ReturnType<typeof useChat.getState>): boolean {
  if (!running) return false;
  const last = messages[rows.at(-1)?.id ?? ''];
  return !last || last.role === 'user' || last.status === 'complete';
}

function Summarising() {
  const { t } = useTranslation('agent');
  return <Waiting icon={<FoldVertical size={16} aria-hidden className="shrink-0" />}>{t('summary.waiting')}</Waiting>;
}

function ServersLate({ names }: { names: readonly string[] }) {
  const { t } = useTranslation('chat');
  return (
    <Waiting icon={<Hourglass size={16} aria-hidden className="shrink-0" />}>
      {t('waiting.servers', { names: names.join(', '), count: names.length })}
    </Waiting>
  );
}

function RetryCountdown({ at, message }: { at: number; message: string }) {
  const { t } = useTranslation('chat');
  const seconds = useSecondsUntil(at);
  return (
    <Waiting icon={<RotateCw size={16} aria-hidden className="shrink-0" />}>
      {message} <span className="tabular">{t('waiting.retry', { seconds })}</span>
    </Waiting>
  );
}

function Waiting({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" data-testid="waiting" className="flex items-start gap-2.5 py-1 text-muted text-sm">
      <span className="flex h-5 items-center">{icon}</span>
      <p className="[overflow-wrap:anywhere]">{children}</p>
    </div>
  );
}

function useSecondsUntil(at: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(at));
  useEffect(() => {
    setSeconds(secondsUntil(at));
    const timer = setInterval(() => setSeconds(secondsUntil(at)), 500);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

const secondsUntil = (at: number) => Math.max(0, Math.ceil((at - Date.now()) / 1000));
