import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { Copy, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { visibleString } from '../../../ui/visible-text.ts';
import { Group } from '../shared/Group.tsx';
import { NameButton } from '../shared/NameButton.tsx';
import { SectionPage } from '../shared/SectionPage.tsx';
import { useFocusId } from '../shared/useFocusId.ts';
import type { AgentsPage } from './page-state.ts';
import { RemovePresetDialog } from './RemovePresetDialog.tsx';

/** The presets: those of the app, to be copied, and the person's own. */
export function PresetList({
  presets,
  page,
  go,
}: {
  presets: readonly AgentPreset[];
  page: AgentsPage;
  go: (page: AgentsPage) => void;
}) {
  const { t } = useTranslation('agent');
  useFocusId(page.name === 'list' ? page.focus : undefined, page);
  const own = presets.filter(({ shipped }) => !shipped);
  return (
    <SectionPage
      title={t('presets.title')}
      lead={t('presets.lead')}
      actions={
        <Button
          variant="primary"
          icon={Plus}
          data-testid="add-preset"
          data-focus-id="add"
          onClick={() => go({ name: 'new' })}
        >
          {t('presets.add')}
        </Button>
      }
    >
      <div className="flex flex-col gap-8">
        <Group title={t('presets.shippedGroup')}>
          <PresetCard presets={presets.filter(({ shipped }) => shipped)} label={t('presets.shippedGroup')} go={go} />
        </Group>
        <Group title={t('presets.ownGroup')}>
          {own.length === 0 ? (
            <p className="text-muted text-sm">{t('presets.ownEmpty')}</p>
          ) : (
            <PresetCard presets={own} label={t('presets.ownGroup')} go={go} />
          )}
        </Group>
      </div>
    </SectionPage>
  );
}

function PresetCard({
  presets,
  label,
  go,
}: {
  presets: readonly AgentPreset[];
  label: string;
  go: (page: AgentsPage) => void;
}) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y divide-border">
        {presets.map((preset) => (
          <PresetRow key={preset.id} preset={preset} go={go} />
        ))}
      </ul>
    </Card>
  );
}

function PresetRow({ preset, go }: { preset: AgentPreset; go: (page: AgentsPage) => void }) {
  const { t } = useTranslation(['agent', 'common']);
  const [removing, setRemoving] = useState(false);
  const name = visibleString(preset.name);
  const edit = () => go({ name: 'edit', presetId: preset.id });
  const copy = () => go({ name: 'new', from: preset.id });
  return (
    <li data-testid="preset-row" data-preset-id={preset.id} className="flex items-center gap-x-4 px-4 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 min-w-0 items-center gap-2">
          {preset.shipped ? (
            <h3 className="truncate font-medium text-sm">
              <VisibleText text={preset.name} />
            </h3>
          ) : (
            <NameButton id={preset.id} name={name} onClick={edit} />
          )}
          {preset.mode !== 'ask' && (
            <Badge tone={preset.mode === 'bypass' ? 'warning' : 'neutral'}>{t(`mode.${preset.mode}`)}</Badge>
          )}
        </div>
        <p dir="auto" className="line-clamp-2 text-muted text-xs [overflow-wrap:anywhere]">
          {preset.description ? <VisibleText text={preset.description} /> : t('presets.noDescription')}
        </p>
      </div>
      <span className="tabular shrink-0 text-muted text-xs">{t('presets.tools', { count: preset.tools.length })}</span>
      {preset.shipped ? (
        <Button
          size="sm"
          icon={Copy}
          data-focus-id={preset.id}
          aria-label={t('presets.copyOf', { name })}
          onClick={copy}
        >
          {t('presets.copy')}
        </Button>
      ) : (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={t('presets.menu', { name })} className="-mr-2.5" />}
          items={[
            { label: t('common:edit'), icon: Pencil, onSelect: edit },
            { label: t('presets.copy'), icon: Copy, onSelect: copy },
            { label: t('common:delete'), icon: Trash2, danger: true, onSelect: () => setRemoving(true) },
          ]}
        />
      )}
      {removing && (
        <RemovePresetDialog
          preset={preset}
          onRemoved={() => {
            setRemoving(false);
            go({ name: 'list', focus: 'add' });
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
}
