import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { useSecretKeeping } from '../../shared/useSecretKeeping.ts';
import { type NameValue, withNewRow } from '../logic/name-values.ts';
import type { Problem } from '../logic/validate-draft.ts';
import { ValueInput } from './ValueInput.tsx';

/** The table of environment variables or headers. A stored value is shown as set and stays unless it is replaced. */
export function NameValueRows({
  kind,
  rows,
  onChange,
  problemOf,
}: {
  kind: 'env' | 'headers';
  rows: readonly NameValue[];
  onChange: (rows: NameValue[]) => void;
  problemOf: (row: NameValue) => Problem | undefined;
}) {
  const { t } = useTranslation('servers');
  const keeping = useSecretKeeping();
  const group = useRef<HTMLFieldSetElement>(null);
  const change = (id: number, values: Partial<NameValue>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...values } : row)));
  /** The last control that fits, once it is on the screen. */
  const focusLater = (selector: string) =>
    requestAnimationFrame(() => [...(group.current?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus());

  return (
    <fieldset ref={group} className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 font-medium text-sm">{t(`form.${kind}`)}</legend>
      {rows.length === 0 && (
        <p className="text-muted text-sm">
          {t(`form.${kind}Hint`)} {keeping && t(`form.kept.${keeping}`)}
        </p>
      )}
      {rows.map((row, index) => (
        <Row
          key={row.id}
          kind={kind}
          number={index + 1}
          row={row}
          problem={problemOf(row)}
          onChange={(values) => change(row.id, values)}
          onRemove={() => {
            onChange(rows.filter((other) => other !== row));
            focusLater('[data-new-row]');
          }}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon={Plus}
          data-new-row
          onClick={() => {
            onChange(withNewRow(rows));
            focusLater('[data-row-name]');
          }}
        >
          {t(`form.${kind}New`)}
        </Button>
      </div>
    </fieldset>
  );
}

function Row({
  kind,
  number,
  row,
  problem,
  onChange,
  onRemove,
}: {
  kind: 'env' | 'headers';
  number: number;
  row: NameValue;
  problem: Problem | undefined;
  onChange: (values: Partial<NameValue>) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation(['servers', 'common']);
  const noteId = useId();
  const [replacing, setReplacing] = useState(false);
  const invalid = problem !== undefined;
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2 max-sm:flex-wrap">
        <Input
          mono
          data-row-name
          value={row.name}
          // The stored value is known to main by this name.
          readOnly={row.stored}
          onChange={(event) => onChange({ name: event.target.value })}
          aria-label={t(`form.${kind}Label`, { number })}
          aria-invalid={(invalid && problem !== 'enterAgain') || undefined}
          aria-describedby={invalid ? noteId : undefined}
          placeholder={t(`form.${kind}Example`)}
          className="max-w-60 max-sm:max-w-none"
        />
        {row.stored ? (
          <div className="flex h-9 min-w-0 grow items-center gap-3 text-muted text-sm">
            {t('form.valueSet')}
            <Button
              size="sm"
              aria-invalid={invalid || undefined}
              aria-describedby={invalid ? noteId : undefined}
              aria-label={t('form.replaceLabel', { number })}
              onClick={() => {
                setReplacing(true);
                onChange({ stored: false });
              }}
            >
              {t('form.replace')}
            </Button>
          </div>
        ) : (
          <ValueInput
            value={row.value}
            onChange={(value) => onChange({ value })}
            label={t('form.valueLabel', { number })}
            invalid={invalid}
            describedBy={invalid ? noteId : undefined}
            autoFocus={replacing}
          />
        )}
        <IconButton icon={X} label={t('form.removeRow', { number })} onClick={onRemove} className="mt-0.5" />
      </div>
      {problem && (
        <p id={noteId} role="alert" className="text-danger text-sm">
          {t(`problem.${problem}`)}
        </p>
      )}
    </div>
  );
}
