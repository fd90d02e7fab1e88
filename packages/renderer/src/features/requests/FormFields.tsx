import type { FormField } from '@shared/contracts/mcp-requests.contract.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field, type FieldControlProps } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { visibleString } from '../../ui/visible-text.ts';
import type { Entered, Problem } from './form-values.ts';

/** One field of a server's form. The server's words are shown as text, whatever they look like. */
export function FormFieldInput({
  field,
  value,
  problem,
  onChange,
}: {
  field: FormField;
  value: Entered;
  problem: Problem | undefined;
  onChange: (value: Entered) => void;
}) {
  const { t } = useTranslation(['requests', 'common']);
  const label = visibleString(field.title ?? field.name);
  const error = problem && t(`problem.${problem.key}`, { count: problem.limit ?? 0 });
  if (field.type === 'boolean') {
    return (
      <div>
        <Checkbox checked={value === true} onChange={onChange}>
          <span className="font-medium">{label}</span>
          {field.description && (
            <span className="block text-muted">
              <VisibleText text={field.description} />
            </span>
          )}
        </Checkbox>
      </div>
    );
  }
  if (field.type === 'choices') {
    return (
      <Choices
        field={field}
        label={label}
        value={Array.isArray(value) ? value : []}
        error={error}
        onChange={onChange}
      />
    );
  }
  return (
    <Field
      label={label}
      optional={field.required ? undefined : t('common:optional')}
      hint={field.description && <VisibleText text={field.description} />}
      error={error}
    >
      {(control) =>
        field.type === 'choice' ? (
          <Choice field={field} value={value} control={control} onChange={onChange} />
        ) : (
          <Input
            {...control}
            {...inputKind(field)}
            dir="auto"
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

/** No `email` or `url`: the browser would put in words of its own, and drop spaces. */
function inputKind(field: FormField): { type: string; inputMode?: 'decimal' | 'email' | 'url'; step?: string } {
  if (field.type === 'number') return { type: 'text', inputMode: 'decimal' };
  if (field.type !== 'text') return { type: 'text' };
  switch (field.format) {
    case 'date':
      return { type: 'date' };
    case 'date-time':
      return { type: 'datetime-local', step: '1' };
    case 'email':
      return { type: 'text', inputMode: 'email' };
    case 'uri':
      return { type: 'text', inputMode: 'url' };
    default:
      return { type: 'text' };
  }
}

/** Radix takes no empty value, and the server's may be: options go by their number. */
function Choice({
  field,
  value,
  control,
  onChange,
}: {
  field: Extract<FormField, { type: 'choice' }>;
  value: Entered;
  control: FieldControlProps;
  onChange: (value: Entered) => void;
}) {
  const { t } = useTranslation('requests');
  const chosen = value === undefined ? -1 : field.options.findIndex((option) => option.value === value);
  const none = { value: '-1', label: t('form.none') };
  const options = field.options.map(({ title }, at) => ({ value: String(at), label: visibleString(title) }));
  return (
    <Select
      {...control}
      value={String(chosen)}
      onChange={(at) => onChange(field.options[Number(at)]?.value)}
      options={[none, ...options]}
    />
  );
}

function Choices({
  field,
  label,
  value,
  error,
  onChange,
}: {
  field: Extract<FormField, { type: 'choices' }>;
  label: string;
  value: string[];
  error: string | undefined;
  onChange: (value: string[]) => void;
}) {
  const { t } = useTranslation('common');
  const id = useId();
  return (
    <fieldset
      aria-describedby={error ? id : undefined}
      data-invalid={error ? true : undefined}
      className="flex min-w-0 flex-col gap-1"
    >
      <legend className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{label}</span>
        {!field.required && <span className="pl-2 text-muted text-xs">{t('optional')}</span>}
      </legend>
      {field.description && (
        <p className="text-muted text-sm">
          <VisibleText text={field.description} />
        </p>
      )}
      {field.options.map((option) => (
        <Checkbox
          key={option.value}
          checked={value.includes(option.value)}
          onChange={(checked) =>
            onChange(
              // In the server's order.
              field.options
                .map((known) => known.value)
                .filter((known) => (known === option.value ? checked : value.includes(known))),
            )
          }
        >
          <VisibleText text={option.title} />
        </Checkbox>
      ))}
      {error && (
        <p id={id} role="alert" className="text-danger text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
}
