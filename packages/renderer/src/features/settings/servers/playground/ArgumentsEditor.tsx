import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field as LabelledField } from '../../../../ui/Field.tsx';
import { Textarea } from '../../../../ui/Input.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { entered, type PlaygroundDraft, switched } from '../logic/playground-draft.ts';
import { fieldsOf } from '../logic/schema-fields.ts';
import { Members } from './FieldControl.tsx';

/** The arguments of a run, in a form or as JSON. */
export function ArgumentsEditor({
  draft,
  onChange,
}: {
  draft: PlaygroundDraft;
  onChange: (draft: PlaygroundDraft) => void;
}) {
  const { t } = useTranslation('tools');
  /** Said when the person wanted the other way to enter them, and what is there can't be read. */
  const [refused, setRefused] = useState(false);
  const fields = fieldsOf(draft.schema);
  const found = entered(draft);
  const unreadable = 'unreadable' in found ? found.unreadable : null;
  const extra = Object.keys(draft.form.extra);

  const switchTo = (mode: PlaygroundDraft['mode']) => {
    const next = switched(draft, mode);
    setRefused(next === null);
    if (next) onChange(next);
  };

  return (
    <section aria-label={t('playground.arguments')} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-base">{t('playground.arguments')}</h2>
        {fields !== null && (
          <SegmentedControl
            label={t('playground.mode')}
            value={draft.mode}
            onChange={switchTo}
            options={(['form', 'json'] as const).map((value) => ({ value, label: t(`playground.${value}`) }))}
          />
        )}
      </div>
      {fields === null && <p className="text-muted text-sm">{t('playground.onlyJson')}</p>}
      {draft.mode === 'json' ? (
        <LabelledField label={t('playground.json')} error={unreadable ? t('playground.notObject') : null}>
          {(control) => (
            <Textarea
              {...control}
              mono
              rows={Math.min(24, Math.max(5, draft.json.split('\n').length + 1))}
              value={draft.json}
              onChange={(event) => onChange({ ...draft, json: event.target.value })}
            />
          )}
        </LabelledField>
      ) : (
        <>
          {fields?.length === 0 && <p className="text-muted text-sm">{t('playground.none')}</p>}
          <Members
            fields={fields ?? []}
            members={draft.form.members}
            onChange={(members) => onChange({ ...draft, form: { ...draft.form, members } })}
          />
          {extra.length > 0 && (
            <p className="text-muted text-sm [overflow-wrap:anywhere]">
              {t('playground.extra', { names: extra.join(', ') })}
            </p>
          )}
          {refused && unreadable && (
            <p role="alert" className="text-danger text-sm [overflow-wrap:anywhere]">
              {t('playground.fieldsNotJson', { names: unreadable.join(', ') })}
            </p>
          )}
        </>
      )}
    </section>
  );
}
