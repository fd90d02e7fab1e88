import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSignIns } from '../../stores/sign-ins.ts';
import { SignInButton } from './SignInButton.tsx';

/** Says that a server wants the person to sign in, or to agree to more; nothing while it doesn't. */
export function SignInNote({ serverId, serverName }: { serverId: string; serverName: string }) {
  const { t } = useTranslation('servers');
  const needs = useSignIns((state) => state.byServer[serverId]?.needs);
  if (!needs) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 rounded-lg bg-surface-3 px-4 py-2.5 text-sm">
      <KeyRound size={16} aria-hidden className="shrink-0 text-warning" />
      <p className="min-w-40 grow">{t(needs === 'sign-in' ? 'signIn.needed' : 'signIn.moreNeeded')}</p>
      <SignInButton serverId={serverId} serverName={serverName} />
    </div>
  );
}
