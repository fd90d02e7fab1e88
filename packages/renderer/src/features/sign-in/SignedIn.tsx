import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../bridge/api.ts';
import { toApiError, unwrap } from '../../bridge/errors.ts';
import { useSignIns } from '../../stores/sign-ins.ts';
import { toastError } from '../../stores/toasts.ts';
import { Button } from '../../ui/Button.tsx';

/** Says that one is signed in to a server, with the way out; nothing while one isn't. */
export function SignedIn({ serverId }: { serverId: string }) {
  const { t } = useTranslation('servers');
  const signedIn = useSignIns((state) => state.byServer[serverId]?.signedIn ?? false);
  if (!signedIn) return null;
  const signOut = () =>
    unwrap(api().oauth.signOut({ serverId })).catch((thrown: unknown) => toastError(toApiError(thrown)));
  return (
    <span className="inline-flex items-center gap-2">
      <span>{t('signIn.signedIn')}</span>
      <Button size="sm" icon={LogOut} onClick={() => signOut()}>
        {t('signIn.signOut')}
      </Button>
    </span>
  );
}
