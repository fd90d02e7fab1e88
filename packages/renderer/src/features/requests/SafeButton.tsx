import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { focusWhenShown, mayTakeFocus } from '../chat/tools/approval-focus.ts';
import type { Answering } from './use-answer.ts';

/** Declines. It has the focus when a request appears, unless the person is in the middle of something else. */
export function SafeButton({ answering }: { answering: Answering }) {
  const { t } = useTranslation('requests');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current && mayTakeFocus(document.activeElement)) return focusWhenShown(button.current);
  }, []);
  return (
    <Button
      ref={button}
      data-safe
      busy={answering.sending === 'decline'}
      disabled={answering.sending !== null}
      onClick={() => answering.answer({ action: 'decline' })}
      className="focus:outline-2 focus:outline-accent focus:outline-offset-2"
    >
      {t('decline')}
    </Button>
  );
}
