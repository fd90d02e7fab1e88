import type { AgentRun, PermissionMode } from '@shared/contracts/agent-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAgent } from '../../../stores/agent.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Select } from '../../../ui/Select.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { BypassDialog } from '../shared/BypassDialog.tsx';
import { MODES } from '../shared/modes.ts';

/** What the run may do without asking; counts from its next call on, and for those that wait. */
export function ModeSelect({ conversationId, run }: { conversationId: string; run: AgentRun }) {
  const { t } = useTranslation('agent');
  const setMode = useAgent((state) => state.setMode);
  const [asking, setAsking] = useState(false);
  const change = useAction(async (mode: PermissionMode) => {
    await setMode(conversationId, mode).catch(toastError);
    setAsking(false);
  });
  return (
    <div className="w-34 shrink-0" title={t(`mode.${run.mode}Text`)}>
      <Select
        aria-label={t('mode.label')}
        value={run.mode}
        disabled={change.busy}
        onChange={(mode) => (mode === 'bypass' ? setAsking(true) : void change.run(mode))}
        options={MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
      />
      <BypassDialog
        open={asking}
        workspace={run.workspace}
        confirmLabel={t('bypass.switch')}
        busy={change.busy}
        onConfirm={() => void change.run('bypass')}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
