import type { McpServerInput } from '@shared/contracts/mcp.contract.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { focusFirstInvalid } from '../../shared/focus-invalid.ts';
import { entered, type InputValues, isMissing } from './input-values.ts';

/** What ticked servers leave open. Secrets are masked. */
export function InputFields({
  needed,
  values,
  showMissing,
  onChange,
}: {
  needed: readonly McpServerInput[];
  values: InputValues;
  showMissing: boolean;
  onChange: (id: string, value: string) => void;
}) {
  const { t } = useTranslation('servers');
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (showMissing) focusFirstInvalid(section.current);
  }, [showMissing]);
  return (
    <section ref={section} aria-label={t('import.inputs')} className="flex flex-col gap-3">
      <h3 className="font-medium text-sm">{t('import.inputs')}</h3>
      {needed.map((input) => (
        <Field
          key={input.id}
          label={input.description || input.id}
          hint={input.readable ? t('import.inputReadable') : undefined}
          error={showMissing && isMissing(input, values) ? t('import.inputMissing') : null}
        >
          {(control) =>
            input.choices ? (
              <Select
                {...control}
                value={entered(input, values)}
                onChange={(value) => onChange(input.id, value)}
                options={input.choices
                  .filter((choice) => choice !== '')
                  .map((choice) => ({ value: choice, label: choice }))}
              />
            ) : (
              <Input
                {...control}
                mono
                type={input.secret ? 'password' : 'text'}
                autoComplete={input.secret ? 'new-password' : 'off'}
                value={entered(input, values)}
                onChange={(event) => onChange(input.id, event.target.value)}
              />
            )
          }
        </Field>
      ))}
    </section>
  );
}
