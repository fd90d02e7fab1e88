import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../bridge/api.ts';
import { unwrap } from '../../bridge/errors.ts';
import { useSignIns } from '../../stores/sign-ins.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useAction } from '../../ui/useAction.ts';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { withSecretChoice } from '../settings/shared/secret-choice.ts';
import { ClientFields, type EnteredClient } from './ClientFields.tsx';

/** From where to sign in, over the page in the browser, to being signed in. Closing it gives the sign-in up. */
export function SignInDialog({
  serverId,
  serverName,
  onClose,
}: {
  serverId: string;
  serverName: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['servers', 'common']);
  const status = useSignIns((state) => state.byServer[serverId]);
  const [host, setHost] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);
  const giveUp = useRef<HTMLButtonElement>(null);
  const prepare = useAction(async (client?: EnteredClient) => {
    setHost(null);
    setOpened(false);
    const prepared = await withSecretChoice(() => unwrap(api().oauth.prepare({ serverId, client })));
    setHost(prepared.host);
  });
  const open = useAction(async () => {
    setOpened(true);
    await unwrap(api().oauth.open({ serverId }));
  });
  const { run: begin } = prepare;
  useEffect(() => {
    void begin();
  }, [begin]);

  const attempt = status?.attempt;
  const error = prepare.error ?? open.error ?? (opened && !attempt ? status?.error : undefined);
  const isDone = opened && !attempt && !error && status?.signedIn === true;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);

  const needsClient = prepare.error?.code === 'client-needed';
  const close = () => {
    void api().oauth.cancel({ serverId });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      testId="sign-in-dialog"
      initialFocus={giveUp}
      title={t('signIn.title')}
      description={
        <>
          <VisibleText text={serverName} /> {t('signIn.lead')}
        </>
      }
      footer={
        <>
          <Button ref={giveUp} onClick={close}>
            {t('common:cancel')}
          </Button>
          {host !== null && !error && (
            <Button
              variant={opened ? 'secondary' : 'primary'}
              icon={ExternalLink}
              busy={open.busy}
              onClick={() => open.run()}
            >
              {t(opened ? 'signIn.openAgain' : 'signIn.open')}
            </Button>
          )}
          {error && !needsClient && (
            <Button variant="primary" busy={prepare.busy} onClick={() => begin()}>
              {t('signIn.again')}
            </Button>
          )}
        </>
      }
    >
      <div aria-live="polite" className="flex flex-col gap-4 text-sm">
        {prepare.busy && <Waiting text={t('signIn.preparing')} />}
        {host !== null && !error && (
          <div className="rounded-lg bg-code px-4 py-3">
            <p className="text-muted text-xs">{t('signIn.opens')}</p>
            <p data-testid="sign-in-host" className="font-medium font-mono [overflow-wrap:anywhere]">
              {host}
            </p>
          </div>
        )}
        {host !== null && !error && (opened ? <Waiting text={t('signIn.waiting')} /> : <p>{t('signIn.check')}</p>)}
        {error && <ErrorNote error={error} />}
        {needsClient && <ClientFields busy={prepare.busy} onSubmit={(client) => begin(client)} />}
      </div>
    </Dialog>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <p className="flex items-center gap-2 text-muted">
      <Spinner size={16} />
      {text}
    </p>
  );
}
