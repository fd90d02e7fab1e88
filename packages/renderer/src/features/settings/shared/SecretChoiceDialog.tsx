import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useSecretChoice } from './secret-choice.ts';
import { useAppInfo } from './useAppInfo.ts';

/** Asks how secrets are to be kept where the system offers no strong encryption. What was typed stays where it is. */
export function SecretChoiceDialog() {
  const { t } = useTranslation(['settings', 'common']);
  const answer = useSecretChoice((state) => state.answer);
  const info = useAppInfo(answer !== null);
  const sessionButton = useRef<HTMLButtonElement>(null);
  const canStore = info?.secretStorage !== 'none';

  return (
    <Dialog
      open={answer !== null}
      onClose={() => answer?.(null)}
      size="lg"
      testId="secret-choice-dialog"
      title={t('secrets.ask.title')}
      description={t(canStore ? 'secrets.ask.text' : 'secrets.ask.textNone')}
      initialFocus={sessionButton}
      footer={
        <>
          <Button onClick={() => answer?.(null)}>{t('common:cancel')}</Button>
          {canStore && <Button onClick={() => answer?.('store')}>{t('secrets.ask.store')}</Button>}
          <Button ref={sessionButton} variant="primary" onClick={() => answer?.('session-only')}>
            {t('secrets.ask.session')}
          </Button>
        </>
      }
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm">
        <li>{t('secrets.ask.sessionMeans')}</li>
        {canStore && <li>{t('secrets.ask.storeMeans')}</li>}
      </ul>
    </Dialog>
  );
}
