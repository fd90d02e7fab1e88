import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiError, toApiError } from '../../../../bridge/errors.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../../ui/Skeleton.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { DiffView } from './DiffView.tsx';
import { diffLines } from './diff-lines.ts';

/** The whole diff of one change. @param load fetches it; called once */
export function DiffDialog({
  path,
  load,
  onClose,
}: {
  path: string;
  load: () => Promise<string>;
  onClose: () => void;
}) {
  const { t } = useTranslation('agent');
  const [diff, setDiff] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the dialog appears
  useEffect(() => {
    let current = true;
    load().then(
      (whole) => current && setDiff(whole),
      (thrown) => current && setError(toApiError(thrown)),
    );
    return () => {
      current = false;
    };
  }, []);

  const title = t('diff.of', { path: visibleString(path) });
  return (
    <Dialog open onClose={onClose} size="xl" testId="diff-dialog" title={title}>
      {error && <ErrorNote error={error} />}
      {diff === null && !error && <Skeleton className="h-60 w-full" />}
      {diff !== null && <DiffView lines={diffLines(diff)} label={title} copy={() => diff} tall />}
    </Dialog>
  );
}
