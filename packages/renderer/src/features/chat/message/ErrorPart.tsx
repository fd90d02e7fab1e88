import type { ErrorInfo } from '@shared/contracts/contract.ts';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../stores/app.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { ContinueButton } from './turn-actions.tsx';

/** Errors that are put right where providers are set up. */
const SETTINGS_CODES = new Set(['key-missing', 'key-refused', 'quota', 'model-not-found', 'unreachable', 'no-model']);

/** What went wrong at this place of the conversation; the last one can be tried again. */
export function ErrorPart({ error, latest }: { error: ErrorInfo; latest: boolean }) {
  const { t } = useTranslation('common');
  const go = useApp((state) => state.go);
  return (
    <ErrorNote
      error={error}
      actions={
        latest && (
          <>
            <ContinueButton />
            {SETTINGS_CODES.has(error.code) && (
              <Button size="sm" onClick={() => go({ name: 'settings', section: 'providers' })}>
                {t('openSettings')}
              </Button>
            )}
          </>
        )
      }
    />
  );
}
