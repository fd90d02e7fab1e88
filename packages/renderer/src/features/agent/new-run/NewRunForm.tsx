import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import { Play, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../bridge/errors.ts';
import { useAgent } from '../../../stores/agent.ts';
import { useApp } from '../../../stores/app.ts';
import { useChat } from '../../../stores/chat.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { useSettings } from '../../../stores/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { ModelProblem } from '../../chat/composer/ModelProblem.tsx';
import { isSendKey } from '../../chat/composer/send-key.ts';
import { useModelOf } from '../../chat/model.ts';
import { ModelChoice } from '../../chat/model-picker/ModelChoice.tsx';
import { focusFirstInvalid } from '../../settings/shared/focus-invalid.ts';
import { BypassDialog } from '../shared/BypassDialog.tsx';
import { MODES } from '../shared/modes.ts';
import { PresetTools } from '../shared/preset-summary.tsx';
import { forgetGoal, lastPresetId, rememberPresetId, useRunDraft } from './draft.ts';
import { PresetPicker } from './PresetPicker.tsx';
import { WorkspaceField } from './WorkspaceField.tsx';

/** What a run begins with. What is missing is said at its field once Start was pressed. */
export function NewRunForm({ presets }: { presets: readonly AgentPreset[] }) {
  const { t } = useTranslation('agent');
  const go = useApp((state) => state.go);
  const draft = useRunDraft();
  const set = useRunDraft.setState;
  const sendWithModifier = useSettings((state) => state.settings?.sendWithModifier ?? false);
  const form = useRef<HTMLFormElement>(null);
  const goalField = useRef<HTMLTextAreaElement>(null);
  const [checked, setChecked] = useState(false);
  const [confirming, setConfirming] = useState(false);
  /** A folder that main didn't find. */
  const [goneWorkspace, setGoneWorkspace] = useState<string | null>(null);

  const wanted = draft.presetId ?? lastPresetId();
  const preset = presets.find(({ id }) => id === wanted) ?? (draft.presetId === null ? presets[0] : undefined);
  const workspace = draft.workspace ?? '';
  const mode = draft.mode ?? preset?.mode ?? 'ask';
  const model = useModelOf(draft.model ?? preset?.model ?? null);

  useEffect(() => goalField.current?.focus(), []);
  useEffect(() => {
    if (goneWorkspace !== null) focusFirstInvalid(form.current);
  }, [goneWorkspace]);

  const goalProblem = draft.goal.trim() === '' ? t('start.goalMissing') : undefined;
  const workspaceProblem =
    workspace.trim() === ''
      ? t('start.workspaceMissing')
      : workspace === goneWorkspace
        ? t('start.workspaceGone')
        : undefined;

  const start = useAction(async () => {
    if (!preset || !model.ref) return;
    try {
      const { id } = await useAgent.getState().start({
        presetId: preset.id,
        workspace: workspace.trim(),
        goal: draft.goal.trim(),
        model: model.ref,
        mode,
      });
      rememberPresetId(preset.id);
      forgetGoal();
      useConversations.getState().select(id);
      void useChat.getState().open(id);
      go({ name: 'chat' });
    } catch (thrown) {
      setConfirming(false);
      if (!(thrown instanceof ApiError) || thrown.code !== 'workspace-missing') throw thrown;
      setGoneWorkspace(workspace);
    }
  });

  const submit = () => {
    if (start.busy) return;
    setChecked(true);
    start.clearError();
    if (goalProblem || workspaceProblem) focusFirstInvalid(form.current);
    else if (!preset || model.state.kind !== 'ready') return;
    else if (mode === 'bypass') setConfirming(true);
    else void start.run();
  };

  return (
    <form
      ref={form}
      noValidate
      aria-label={t('start.title')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-col gap-6 low:gap-4"
    >
      <Field
        label={t('start.goal')}
        hint={t(sendWithModifier ? 'start.hintModifier' : 'start.hint')}
        error={checked ? goalProblem : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            ref={goalField}
            data-testid="goal-input"
            dir="auto"
            rows={4}
            value={draft.goal}
            placeholder={t('start.goalPlaceholder')}
            onChange={(event) => set({ goal: event.target.value })}
            onKeyDown={(event) => {
              if (!isSendKey(event, sendWithModifier)) return;
              event.preventDefault();
              submit();
            }}
            className="field-sizing-content max-h-80 min-h-28 low:min-h-20 text-base!"
          />
        )}
      </Field>
      <WorkspaceField
        value={workspace}
        onChange={(next) => set({ workspace: next })}
        onRecent={([last]) => {
          if (last !== undefined && useRunDraft.getState().workspace === null) set({ workspace: last });
        }}
        error={checked || goneWorkspace !== null ? workspaceProblem : undefined}
      />
      <section aria-labelledby="run-preset" className="flex flex-col gap-2">
        <div className="flex items-center justify-between gap-3">
          <h2 id="run-preset" className="font-medium text-sm">
            {t('start.preset')}
          </h2>
          <Button
            size="sm"
            variant="ghost"
            onClick={() => go({ name: 'settings', section: 'agents' })}
            className="-mr-2.75"
          >
            {t('start.presetsManage')}
          </Button>
        </div>
        <PresetPicker
          presets={presets}
          value={preset?.id ?? null}
          onChange={(presetId) => set({ presetId, mode: null, model: null })}
        />
        {preset ? (
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-1">
            <h3 className="text-muted text-sm">{t('start.may')}</h3>
            <PresetTools preset={preset} />
          </div>
        ) : (
          <p role="alert" className="text-danger text-sm">
            {t('start.presetMissing')}
          </p>
        )}
      </section>
      <ModelProblem state={model.state} />
      {start.error && <ErrorNote error={start.error} />}
      {/* In sight at every size: nobody starts a run without having seen what it may do. */}
      <div className="sticky bottom-0 -my-2 flex flex-col gap-2 border-border border-t bg-surface-1 py-3 short:static">
        <section aria-labelledby="run-mode" className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h2 id="run-mode" className="font-medium text-sm">
            {t('start.mode')}
          </h2>
          <SegmentedControl
            label={t('mode.label')}
            value={mode}
            onChange={(next) => set({ mode: next })}
            options={MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
          />
          <p
            className={`flex basis-full items-start gap-2 text-sm ${mode === 'bypass' ? 'text-warning' : 'text-muted'}`}
          >
            {mode === 'bypass' && <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />}
            {t(`mode.${mode}Text`)}
          </p>
        </section>
        <div className="flex items-center justify-between gap-3">
          <div className="flex min-w-0 items-center gap-1 text-sm">
            <span className="text-muted">{t('start.model')}</span>
            <ModelChoice model={model} onChoose={(ref) => set({ model: ref })} className="max-w-80" />
          </div>
          <Button
            type="submit"
            variant="primary"
            icon={Play}
            data-testid="start-run"
            busy={start.busy}
            disabled={!preset || model.state.kind !== 'ready'}
          >
            {t('start.submit')}
          </Button>
        </div>
      </div>
      <BypassDialog
        open={confirming}
        workspace={workspace.trim()}
        confirmLabel={t('bypass.start')}
        busy={start.busy}
        onConfirm={() => void start.run()}
        onClose={() => setConfirming(false)}
      />
    </form>
  );
}
