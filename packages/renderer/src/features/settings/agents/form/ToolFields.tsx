import { PencilLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AgentTool } from '../../../../stores/agent.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { SettingRow } from '../../../../ui/SettingRow.tsx';
import { Switch } from '../../../../ui/Switch.tsx';
import { Group } from '../../shared/Group.tsx';
import type { DraftProps } from './PresetFields.tsx';

/** Which built-in tools an agent has, with those marked that change something, and what joins in from elsewhere. */
export function ToolFields({ draft, set, tools }: DraftProps & { tools: readonly AgentTool[] }) {
  const { t } = useTranslation('agent');
  // What an earlier version knew stays listed, so that it can be taken away.
  const gone = draft.tools.filter((name) => !tools.some((tool) => tool.name === name));
  const listed = [...tools, ...gone.map((name) => ({ name, description: '', changes: false }))];
  const toggle = (name: string, on: boolean) =>
    set({
      tools: listed.map((tool) => tool.name).filter((other) => (other === name ? on : draft.tools.includes(other))),
    });
  return (
    <Group title={t('presets.builtin')} text={t('presets.toolsHint')}>
      <Card className="px-4 py-2">
        <fieldset className="grid grid-cols-2 gap-x-6 max-sm:grid-cols-1">
          <legend className="sr-only">{t('presets.builtin')}</legend>
          {listed.map(({ name, description, changes }) => (
            <Checkbox key={name} checked={draft.tools.includes(name)} onChange={(on) => toggle(name, on)}>
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{name}</span>
                {changes && (
                  <Badge tone="warning" icon={PencilLine}>
                    {t('presets.changes')}
                  </Badge>
                )}
              </span>
              {description && (
                <span className="line-clamp-2 text-muted text-xs" title={description}>
                  {description}
                </span>
              )}
            </Checkbox>
          ))}
        </fieldset>
      </Card>
      <Card className="mt-3 divide-y divide-border px-4 py-1">
        <SettingRow label={t('presets.mcp')} hint={t('presets.mcpHint')}>
          {(control) => <Switch {...control} checked={draft.mcpTools} onChange={(mcpTools) => set({ mcpTools })} />}
        </SettingRow>
        <SettingRow label={t('presets.memory')} hint={t('presets.memoryHint')}>
          {(control) => (
            <Switch
              {...control}
              checked={draft.servers.includes('memory')}
              onChange={(on) => set({ servers: on ? ['memory'] : [] })}
            />
          )}
        </SettingRow>
      </Card>
    </Group>
  );
}
