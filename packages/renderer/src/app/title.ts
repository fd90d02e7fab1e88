import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useConversations } from '../stores/conversations.ts';
import { useServerRequests } from '../stores/server-requests.ts';

/** Counts in the window's title what waits for the person, so that it is seen from other windows: "(2) TinyElf". */
export function useWindowTitle(): void {
  const { t } = useTranslation();
  const calls = useConversations(({ waiting }) => Object.values(waiting).reduce((sum, count) => sum + count, 0));
  const requests = useServerRequests((state) => state.requests.length);
  const waiting = calls + requests;
  const name = t('appName');
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [waiting, name]);
}
