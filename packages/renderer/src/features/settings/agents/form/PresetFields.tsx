import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { modelState, useProviders } from '../../../../stores/providers.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input, Textarea } from '../../../../ui/Input.tsx';
import { ModelChoice } from '../../../chat/model-picker/ModelChoice.tsx';
import type { PresetDraft, PresetProblems } from '../preset-draft.ts';

export interface DraftProps {
  draft: PresetDraft;
  set: (values: Partial<PresetDraft>) => void;
}

/** What a preset is called, what it is for, what the model is told, and which model that is. */
export function PresetFields({
  draft,
  set,
  problems,
  isNew,
}: DraftProps & { problems: PresetProblems; isNew: boolean }) {
  const { t } = useTranslation(['agent', 'common']);
  const name = useRef<HTMLInputElement>(null);
  const providers = useProviders((state) => state.providers) ?? [];
  const textOf = (field: keyof PresetProblems) => {
    const problem = problems[field];
    return problem && t(`presets.problem.${problem}`);
  };
  useEffect(() => {
    if (isNew) name.current?.select();
  }, [isNew]);

  return (
    <div className="flex flex-col gap-5">
      <Field label={t('presets.name')} error={textOf('name')}>
        {(control) => (
          <Input
            {...control}
            ref={name}
            dir="auto"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('presets.description')} optional={t('common:optional')} error={textOf('description')}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('presets.systemPrompt')} hint={t('presets.systemPromptHint')} error={textOf('systemPrompt')}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            rows={8}
            value={draft.systemPrompt}
            onChange={(event) => set({ systemPrompt: event.target.value })}
          />
        )}
      </Field>
      <section aria-labelledby="preset-model" className="flex flex-col items-start gap-1.5">
        <h2 id="preset-model" className="font-medium text-sm">
          {t('presets.model')}
        </h2>
        <div className="flex max-w-full flex-wrap items-center gap-2">
          <ModelChoice
            model={{ ref: draft.model, state: modelState(draft.model, providers) }}
            none={t('presets.modelLast')}
            onChoose={(model) => set({ model })}
            className="max-w-full border border-border-strong bg-surface-2"
          />
          {draft.model && (
            <Button size="sm" variant="ghost" onClick={() => set({ model: null })}>
              {t('presets.modelReset')}
            </Button>
          )}
        </div>
        <p className="text-muted text-sm">{t('presets.modelHint')}</p>
      </section>
    </div>
  );
}
