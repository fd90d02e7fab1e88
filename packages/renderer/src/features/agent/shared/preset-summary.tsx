import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { Brain, PencilLine, Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useAgent } from '../../../stores/agent.ts';
import { Badge } from '../../../ui/Badge.tsx';

/** What an agent may use: its built-in tools, with those marked that change something, and whose tools join in. */
export function PresetTools({ preset }: { preset: AgentPreset }) {
  const { t } = useTranslation('agent');
  const tools = useAgent((state) => state.tools);
  const changes = (name: string) => tools?.some((tool) => tool.name === name && tool.changes) ?? false;
  const nothing = preset.tools.length === 0 && !preset.mcpTools && preset.servers.length === 0;
  return (
    <ul aria-label={t('start.may')} className="flex flex-wrap gap-1">
      {nothing && <li className="text-muted text-sm">{t('start.mayNothing')}</li>}
      {preset.tools.map((name) => (
        <li key={name} className="flex" title={changes(name) ? t('start.changes') : undefined}>
          <Badge tone={changes(name) ? 'warning' : 'neutral'} icon={changes(name) ? PencilLine : undefined}>
            {name}
            {changes(name) && <span className="sr-only"> ({t('start.changes')})</span>}
          </Badge>
        </li>
      ))}
      {preset.mcpTools && (
        <li className="flex">
          <Badge tone="accent" icon={Wrench}>
            {t('start.mayMcp')}
          </Badge>
        </li>
      )}
      {preset.servers.includes('memory') && (
        <li className="flex">
          <Badge tone="accent" icon={Brain}>
            {t('start.mayMemory')}
          </Badge>
        </li>
      )}
    </ul>
  );
}
