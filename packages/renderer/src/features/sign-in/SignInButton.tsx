import { LogIn } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { SignInDialog } from './SignInDialog.tsx';

/** Begins a sign-in to a server. The dialog that follows says what would be opened before it is. */
export function SignInButton({ serverId, serverName }: { serverId: string; serverName: string }) {
  const { t } = useTranslation('servers');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="primary" icon={LogIn} data-testid="sign-in" onClick={() => setOpen(true)}>
        {t('signIn.button')}
      </Button>
      {open && <SignInDialog serverId={serverId} serverName={serverName} onClose={() => setOpen(false)} />}
    </>
  );
}
