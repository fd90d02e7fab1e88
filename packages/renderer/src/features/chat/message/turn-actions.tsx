import type { ModelRef } from '@shared/contracts/message-types.ts';
import { RotateCw, StepForward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { useActiveModel, useModelProblem } from '../model.ts';

/** Tries the last message again. */
export function RetryButton() {
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
