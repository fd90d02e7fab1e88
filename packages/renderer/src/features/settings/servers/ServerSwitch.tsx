import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, toApiError } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Switch } from '../../../ui/Switch.tsx';
import { ConsentDialog } from './ConsentDialog.tsx';
import { setServerEnabled } from './server-actions.ts';

/** Switches a server on or off, at once on the screen. One that nobody has agreed to asks first. */
export function ServerSwitch({ server }: { server: McpServerView }) {
  const { t } = useTranslation('servers');
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [asking, setAsking] = useState(false);

  const change = async (enabled: boolean) => {
    if (enabled && !server.consented) return setAsking(true);
    setWanted(enabled);
    try {
      await setServerEnabled(server.id, enabled);
    } catch (thrown) {
      // Its command changed since the list was made.
      if (thrown instanceof ApiError && thrown.code === 'no-consent') setAsking(true);
      else toastError(toApiError(thrown));
    }
    setWanted(null);
  };
  return (
    <>
      <Switch
        checked={wanted ?? server.enabled}
        onChange={change}
        disabled={wanted !== null}
        aria-label={t('row.switch', { name: server.name })}
      />
      {asking && <ConsentDialog server={server} onClose={() => setAsking(false)} />}
    </>
  );
}
