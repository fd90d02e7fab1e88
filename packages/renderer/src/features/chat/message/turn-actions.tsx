import type { ModelRef } from '@shared/contracts/message-types.ts';
import { Play, RotateCw, StepForward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { runOf, useConversations } from '../../../stores/conversations.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useActiveModel, useModelProblem } from '../model.ts';

/** The way on after something ended before its time: a chat tries its last message again, a run goes on where it was. */
export function ContinueButton() {
  const isRun = useIsRun();
  return isRun ? <ResumeButton /> : <RetryButton />;
}

/** Whether the conversation that is open is a run of the agent. */
export function useIsRun(): boolean {
  const conversationId = useChat((state) => state.conversationId);
  return useConversations((state) => runOf(state, conversationId) !== undefined);
}

/** Lets a run that was stopped, interrupted or has failed go on. */
export function ResumeButton() {
  const { t } = useTranslation('agent');
  const proceed = useChat((state) => state.proceed);
  return <TurnButton icon={Play} label={t('resume')} work={proceed} />;
}

function RetryButton() {
  const { t } = useTranslation('common');
  const retry = useChat((state) => state.retry);
  return <TurnButton icon={RotateCw} label={t('retry')} work={retry} />;
}

/** Lets the model go on after it was halted. */
export function ProceedButton() {
  const { t } = useTranslation('chat');
  const proceed = useChat((state) => state.proceed);
  return <TurnButton icon={StepForward} label={t('message.proceed')} work={proceed} />;
}

function TurnButton(props: { icon: typeof RotateCw; label: string; work: (model: ModelRef) => Promise<void> }) {
  const running = useChat((state) => state.running);
  const { ref, state } = useActiveModel();
  const problem = useModelProblem(state);
  const action = useAction(async () => {
    if (ref) await props.work(ref).catch(toastError);
  });
  if (running) return null;
  return (
    <Button
      title={problem}
      size="sm"
      icon={props.icon}
      busy={action.busy}
      disabled={state.kind !== 'ready'}
      onClick={() => void action.run()}
    >
      {props.label}
    </Button>
  );
}
