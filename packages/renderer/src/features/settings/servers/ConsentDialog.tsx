import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { visibleString } from '../../../ui/visible-text.ts';
import { setServerEnabled } from './server-actions.ts';
import { targetOf } from './target.ts';
import { WhatRuns } from './WhatRuns.tsx';

/** Shows what a server that came from elsewhere would start, before it is started for the first time. */
export function ConsentDialog({ server, onClose }: { server: McpServerView; onClose: () => void }) {
  const { t } = useTranslation('servers');
  const refuse = useRef<HTMLButtonElement>(null);
  const start = useAction(async () => {
    await setServerEnabled(server.id, true, true);
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      testId="consent-dialog"
      title={t('consent.title')}
      description={t('consent.text', { name: visibleString(server.name) })}
      initialFocus={refuse}
      footer={
        <>
          <Button ref={refuse} onClick={onClose}>
            {t('consent.refuse')}
          </Button>
          <Button variant="primary" busy={start.busy} onClick={() => start.run()}>
            {t('consent.start')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="rounded-lg bg-code px-4 py-3">
          <WhatRuns target={targetOf(server)} />
        </div>
        {start.error && <ErrorNote error={start.error} />}
      </div>
    </Dialog>
  );
}
