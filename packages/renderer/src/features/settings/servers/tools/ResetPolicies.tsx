import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../../ui/Dialog.tsx';
import { resetToolPolicies } from './tool-actions.ts';

/** Forgets what was allowed and denied for the tools of a server, after asking. */
export function ResetPolicies({ server }: { server: McpServerView }) {
  const { t } = useTranslation('tools');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t('policy.reset')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('policy.resetTitle', { name: server.name })}
        description={t('policy.resetText')}
        confirmLabel={t('policy.resetConfirm')}
        onConfirm={() => {
          setAsking(false);
          void resetToolPolicies(server.id);
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
