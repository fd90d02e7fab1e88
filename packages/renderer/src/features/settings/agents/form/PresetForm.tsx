import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { ApiError, unwrap } from '../../../../bridge/errors.ts';
import { type AgentTool, useAgent } from '../../../../stores/agent.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { visibleString } from '../../../../ui/visible-text.ts';
import { focusFirstInvalid } from '../../shared/focus-invalid.ts';
import { forgetKept, useKeptState } from '../../shared/kept-state.ts';
import { SubPage } from '../../shared/SectionPage.tsx';
import type { AgentsPage } from '../page-state.ts';
import { type PresetDraft, type PresetProblems, toSaveInput, validatePreset } from '../preset-draft.ts';
import { RemovePresetDialog } from '../RemovePresetDialog.tsx';
import { LimitFields, ModeFields } from './BehaviourFields.tsx';
import { PresetFields } from './PresetFields.tsx';
import { ToolFields } from './ToolFields.tsx';

/** A preset's page. Without `preset` it is a new one, perhaps begun as a copy. */
export function PresetForm({
  preset,
  copyOf,
  initial,
  tools,
  go,
}: {
  preset?: AgentPreset;
  copyOf?: AgentPreset;
  initial: PresetDraft;
  tools: readonly AgentTool[];
  go: (page: AgentsPage) => void;
}) {
  const { t } = useTranslation(['agent', 'common']);
  const keptAs = `agents.draft.${preset ? `id.${preset.id}` : `new.${copyOf?.id ?? ''}`}`;
  const [draft, setDraft] = useKeptState<PresetDraft>(keptAs, () => initial);
  const [checked, setChecked] = useState(false);
  const [removing, setRemoving] = useState(false);
  /** A name that main knows to be taken. */
  const [taken, setTaken] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const others = (useAgent((state) => state.presets) ?? []).filter(({ id }) => id !== preset?.id);
  const names = others.map(({ name }) => name);
  const all = validatePreset(draft, taken === null ? names : [...names, taken]);
  const problems: PresetProblems = checked ? all : {};
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const set = (values: Partial<PresetDraft>) => setDraft({ ...draft, ...values });

  useEffect(() => {
    if (taken !== null) focusFirstInvalid(form.current);
  }, [taken]);

  const leaveTo = (focus: string) => {
    forgetKept(keptAs);
    go({ name: 'list', focus });
  };
  const save = useAction(async () => {
    try {
      const saved = await unwrap(api().agent.savePreset(toSaveInput(draft, preset?.id)));
      await useAgent.getState().loadPresets();
      leaveTo(saved.id);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'name-taken') throw thrown;
      setTaken(draft.name.trim());
    }
  });
  const submit = () => {
    setChecked(true);
    if (Object.keys(all).length > 0) focusFirstInvalid(form.current);
    else void save.run();
  };
  const title = preset
    ? visibleString(preset.name)
    : copyOf
      ? t('presets.copyOf', { name: visibleString(copyOf.name) })
      : t('presets.newTitle');

  return (
    <SubPage
      title={title}
      back={t('presets.title')}
      dirty={dirty}
      onBack={() => leaveTo(preset?.id ?? copyOf?.id ?? 'add')}
      actions={
        preset && (
          <Button size="sm" variant="danger" icon={Trash2} onClick={() => setRemoving(true)}>
            {t('common:delete')}
          </Button>
        )
      }
    >
      {(leave) => (
        <form
          ref={form}
          aria-label={title}
          data-testid="preset-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
          className="flex flex-col gap-8"
        >
          <PresetFields draft={draft} set={set} problems={problems} isNew={preset === undefined} />
          <ToolFields draft={draft} set={set} tools={tools} />
          <ModeFields draft={draft} set={set} />
          <LimitFields draft={draft} set={set} problems={problems} />
          {save.error && <ErrorNote error={save.error} />}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" disabled={preset !== undefined && !dirty} busy={save.busy}>
              {t('common:save')}
            </Button>
            <Button variant="ghost" onClick={leave}>
              {t('common:cancel')}
            </Button>
          </div>
          {removing && preset && (
            <RemovePresetDialog preset={preset} onRemoved={() => leaveTo('add')} onClose={() => setRemoving(false)} />
          )}
        </form>
      )}
    </SubPage>
  );
}
