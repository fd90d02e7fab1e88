import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { useToasts } from '../../../../stores/toasts.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { ConfirmDialog, Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { useAction } from '../../../../ui/useAction.ts';

type Place = 'file' | 'clipboard';

/** Writes the servers as JSON for other programs. Keys go with them only when the person says so twice. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const [secrets, setSecrets] = useState(false);
  const [asking, setAsking] = useState<Place | null>(null);
  const write = useAction(async (to: Place) => {
    setAsking(null);
    const { path } = await unwrap(api().mcpImport.exportServers({ secrets, to }));
    // The system's dialog was closed without a file: everything is as it was.
    if (path === undefined) return;
    const text = path === null ? t('export.copied') : t('export.saved', { path });
    useToasts.getState().show({ tone: 'neutral', text });
    onClose();
  });
  const begin = (to: Place) => (secrets ? setAsking(to) : void write.run(to));

  return (
    <>
      <Dialog
        open
        onClose={onClose}
        testId="export-dialog"
        title={t('export.title')}
        description={t('export.text')}
        footer={
          <>
            <Button onClick={onClose}>{t('common:cancel')}</Button>
            <Button busy={write.busy} onClick={() => begin('clipboard')}>
              {t('export.copy')}
            </Button>
            <Button variant="primary" busy={write.busy} onClick={() => begin('file')}>
              {t('export.save')}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <Checkbox checked={secrets} onChange={setSecrets}>
            {t('export.withValues')}
          </Checkbox>
          <p className={secrets ? 'text-danger text-sm' : 'text-muted text-sm'}>
            {t(secrets ? 'export.with' : 'export.without')}
          </p>
          {write.error && <ErrorNote error={write.error} />}
        </div>
      </Dialog>
      <ConfirmDialog
        open={asking !== null}
        title={t('export.confirm.title')}
        description={t('export.confirm.text')}
        confirmLabel={t('export.confirm.confirm')}
        busy={write.busy}
        onConfirm={() => asking && void write.run(asking)}
        onClose={() => setAsking(null)}
      />
    </>
  );
}
