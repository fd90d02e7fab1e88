import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpContract } from '@shared/contracts/mcp.contract.ts';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../../bridge/errors.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Spinner } from '../../../../ui/Spinner.tsx';
import { useNow } from '../../../../ui/useNow.ts';
import { RejectedTools } from '../page/RejectedTools.tsx';

export type TestAnswer = CallOutput<McpContract, 'test'>;

/** How a test goes, and how it went. */
export function TestResult({
  startedAt,
  answer,
  error,
  onSplit,
}: {
  /** Milliseconds since the epoch; null when none is running. */
  startedAt: number | null;
  answer: TestAnswer | null;
  error: ApiError | null;
  /** Splits arguments that stand on one line; absent where there is nothing to split. */
  onSplit?: () => void;
}) {
  const { t } = useTranslation('servers');
  const now = useNow(startedAt !== null);
  if (startedAt !== null) {
    const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
    return (
      <p role="status" className="flex items-center gap-2 text-muted text-sm">
        <Spinner />
        <span className="tabular">{seconds < 1 ? t('test.running') : t('test.runningFor', { seconds })}</span>
      </p>
    );
  }
  if (error?.code === 'cancelled') {
    return (
      <p role="status" className="text-muted text-sm">
        {t('test.stopped')}
      </p>
    );
  }
  if (error) {
    // A test leaves no log to look into: what the program said is in the details.
    const hint = error.hint && /\blog\b/.test(error.hint) ? t('test.hint') : error.hint;
    return (
      <ErrorNote
        error={{ message: error.message, hint, details: error.details }}
        openDetails
        actions={
          onSplit && (
            <>
              <p className="w-full">{t('test.oneLine')}</p>
              <Button size="sm" onClick={onSplit}>
                {t('form.splitAtSpaces')}
              </Button>
            </>
          )
        }
      />
    );
  }
  if (!answer) return null;
  return (
    <div role="status" className="flex gap-3 rounded-lg bg-success-soft px-4 py-3 text-sm">
      <CircleCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-success" />
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <p className="font-medium">
          {t('test.works', { count: answer.toolNames.length, seconds: (answer.ms / 1000).toFixed(1) })}
        </p>
        {answer.toolNames.length > 0 && (
          <Disclosure label={t('test.names')}>
            <p className="max-h-40 overflow-y-auto font-mono text-xs [overflow-wrap:anywhere]">
              {answer.toolNames.join(', ')}
            </p>
          </Disclosure>
        )}
        <RejectedTools rejected={answer.rejected} />
      </div>
    </div>
  );
}
