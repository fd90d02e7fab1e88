import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { type FieldControlProps, Field as LabelledField } from '../../../../ui/Field.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Input, Textarea } from '../../../../ui/Input.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { type Draft, emptyDraft, itemField, read } from '../logic/field-drafts.ts';
import type { Field, Shape } from '../logic/schema-fields.ts';

interface ControlProps {
  field: Field;
  draft: Draft;
  onChange: (draft: Draft) => void;
}

/** Stands for an empty field, since a choice must have a value. */
const NOT_SET = '-';
const MAX_CHOICE_LENGTH = 80;

/** The label, hint and control of one argument, whatever it takes. */
export function FieldControl({ field, draft, onChange }: ControlProps) {
  const { t } = useTranslation('tools');
  const { name, required, shape } = field;
  const mark = required ? t('playground.required') : undefined;
  const hint = field.description === undefined ? undefined : <VisibleText text={field.description} />;

  if (shape.kind === 'object' && draft.as === 'object') {
    return (
      <Fieldset legend={name} mark={mark} hint={hint}>
        <Members
          fields={shape.fields}
          members={draft.members}
          onChange={(members) => onChange({ as: 'object', members })}
        />
      </Fieldset>
    );
  }
  if (shape.kind === 'list' && draft.as === 'list') {
    return (
      <Fieldset legend={name} mark={mark} hint={hint}>
        <Items
          name={name}
          shape={shape.item}
          items={draft.items}
          onChange={(items) => onChange({ as: 'list', items })}
        />
      </Fieldset>
    );
  }
  const unreadable = read(field, draft).state === 'not-json';
  const isJson = draft.as === 'json';
  return (
    <LabelledField
      label={name}
      optional={[mark, isJson ? t('playground.asJson') : undefined].filter(Boolean).join(', ') || undefined}
      hint={hint}
      error={unreadable ? t('playground.notJson') : null}
    >
      {(control) => <Control {...{ field, draft, onChange, control }} />}
    </LabelledField>
  );
}

/** The fields of a form, or of an object within it. */
export function Members({
  fields,
  members,
  onChange,
}: {
  fields: readonly Field[];
  members: readonly Draft[];
  onChange: (members: Draft[]) => void;
}) {
  return (
    <div className="flex flex-col gap-4">
      {fields.map((field, index) => (
        <FieldControl
          key={field.name}
          field={field}
          draft={members[index] ?? emptyDraft(field.shape)}
          onChange={(draft) =>
            onChange(fields.map((each, at) => (at === index ? draft : (members[at] ?? emptyDraft(each.shape)))))
          }
        />
      ))}
    </div>
  );
}

function Items({
  name,
  shape,
  items,
  onChange,
}: {
  name: string;
  shape: Shape;
  items: readonly Draft[];
  onChange: (items: Draft[]) => void;
}) {
  const { t } = useTranslation('tools');
  const field = itemField(shape);
  return (
    <div className="flex flex-col items-start gap-2">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name, and their controls keep nothing
        <div key={index} className="flex w-full items-start gap-2">
          <div className="min-w-0 grow">
            <Control
              field={field}
              draft={item}
              onChange={(draft) => onChange(items.map((each, at) => (at === index ? draft : each)))}
              control={{ 'aria-label': t('playground.item', { name, number: index + 1 }) }}
            />
          </div>
          <IconButton
            icon={X}
            label={t('playground.removeItem', { name, number: index + 1 })}
            onClick={() => onChange(items.filter((_each, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="sm"
        icon={Plus}
        aria-label={t('playground.addItemTo', { name })}
        onClick={() => onChange([...items, emptyDraft(shape)])}
      >
        {t('playground.addItem')}
      </Button>
    </div>
  );
}

function Control({
  field: { shape, required },
  draft,
  onChange,
  control,
}: ControlProps & { control: FieldControlProps | { 'aria-label': string } }) {
  const { t } = useTranslation('tools');
  if (draft.as === 'json') {
    return (
      <Textarea
        {...control}
        mono
        rows={Math.min(12, Math.max(2, draft.text.split('\n').length))}
        value={draft.text}
        onChange={(event) => onChange({ as: 'json', text: event.target.value })}
      />
    );
  }
  if (draft.as !== 'text') return null;
  const set = (text: string) => onChange({ as: 'text', text });
  if (shape.kind === 'boolean' || shape.kind === 'choice') {
    const choices =
      shape.kind === 'boolean'
        ? [
            { value: 'true', label: t('playground.yes') },
            { value: 'false', label: t('playground.no') },
          ]
        : shape.values.map((value, index) => ({ value: String(index), label: choiceLabel(value) }));
    const empty = required && draft.text !== '' ? [] : [{ value: NOT_SET, label: t('playground.notSet') }];
    return (
      <Select
        {...control}
        value={draft.text === '' ? NOT_SET : draft.text}
        onChange={(next) => set(next === NOT_SET ? '' : next)}
        options={[...empty, ...choices]}
      />
    );
  }
  if (shape.kind === 'number') {
    return <Input {...control} inputMode="decimal" value={draft.text} onChange={(event) => set(event.target.value)} />;
  }
  return (
    <Textarea
      {...control}
      rows={Math.min(8, draft.text.split('\n').length)}
      value={draft.text}
      onChange={(event) => set(event.target.value)}
    />
  );
}

function Fieldset({
  legend,
  mark,
  hint,
  children,
}: {
  legend: string;
  mark?: string;
  hint?: React.ReactNode;
  children: React.ReactNode;
}) {
  const hintId = useId();
  return (
    <fieldset aria-describedby={hint ? hintId : undefined} className="min-w-0">
      <legend className="flex items-baseline gap-2 pb-1.5 text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{legend}</span>
        {mark && <span className="text-muted text-xs">{mark}</span>}
      </legend>
      {hint && (
        <p id={hintId} className="pb-2 text-muted text-sm">
          {hint}
        </p>
      )}
      <div className="border-border border-l-2 pl-4">{children}</div>
    </fieldset>
  );
}

const choiceLabel = (value: unknown): string => {
  const label = typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
  return label.length > MAX_CHOICE_LENGTH ? `${label.slice(0, MAX_CHOICE_LENGTH)}…` : label;
};
