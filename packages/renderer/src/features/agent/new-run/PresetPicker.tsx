import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { RadioGroup } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/Badge.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';

/** The agents to choose from, with what each is for. Arrow keys move the choice. */
export function PresetPicker({
  presets,
  value,
  onChange,
}: {
  presets: readonly AgentPreset[];
  value: string | null;
  onChange: (presetId: string) => void;
}) {
  const { t } = useTranslation('agent');
  return (
    <RadioGroup.Root
      value={value}
      onValueChange={onChange}
      aria-label={t('start.preset')}
      className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-2"
    >
      {presets.map(({ id, name, description, shipped }) => (
        <RadioGroup.Item
          key={id}
          value={id}
          data-testid="preset-option"
          className="flex min-w-0 flex-col items-start gap-1 rounded-lg border border-border bg-surface-2 px-3 py-2.5 text-left transition-colors hover:border-border-strong data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft"
        >
          <span className="flex w-full min-w-0 items-center justify-between gap-2">
            <span className="min-w-0 truncate font-medium text-sm" title={name}>
              <VisibleText text={name} />
            </span>
            {!shipped && <Badge>{t('start.own')}</Badge>}
          </span>
          {description && (
            <span className="line-clamp-4 text-muted text-xs [overflow-wrap:anywhere]" title={description}>
              <VisibleText text={description} />
            </span>
          )}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
