import type { ToolSetting } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { setToolPolicy } from './tool-actions.ts';

const POLICIES = ['ask', 'allow', 'deny'] as const;

/** What happens when a model calls the tool. */
export function PolicyChoice({ tool, setting }: { tool: MCPTool; setting: ToolSetting }) {
  const { t } = useTranslation('tools');
  const { policy, allowedBefore } = setting;
  return (
    <div className="flex flex-col items-start gap-1">
      <p className="text-muted text-xs">{t('policy.label')}</p>
      <SegmentedControl
        label={t('policy.label')}
        value={policy}
        onChange={(next) => void setToolPolicy(tool, next)}
        options={POLICIES.map((value) => ({ value, label: t(`policy.${value}`) }))}
      />
      <p className="text-muted">{t(allowedBefore ? 'policy.allowedBefore' : `policy.${policy}Text`)}</p>
    </div>
  );
}
