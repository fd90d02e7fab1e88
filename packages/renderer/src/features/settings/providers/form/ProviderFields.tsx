import type { ProviderPreset } from '@shared/contracts/providers.contract.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { Select } from '../../../../ui/Select.tsx';
import type { Problems, ProviderDraft, WireFormat } from '../logic/provider-draft.ts';

const FORMATS: WireFormat[] = ['openai', 'openai-responses', 'anthropic', 'google'];

/** Name and address of a provider, its format where that is to be chosen, and whatever field of the key it is given. */
export function ProviderFields({
  draft,
  set,
  preset,
  problems,
  canChooseFormat,
  keyField,
}: {
  draft: ProviderDraft;
  set: (values: Partial<ProviderDraft>) => void;
  preset: ProviderPreset | undefined;
  problems: Problems;
  canChooseFormat: boolean;
  keyField: ReactNode;
}) {
  const { t } = useTranslation('providers');
  const textOf = (field: keyof Problems) => problems[field] && t(`problem.${problems[field]}`);
  const own = preset?.baseUrl;
  return (
    <>
      <Field label={t('form.name')} error={textOf('name')}>
        {(control) => (
          <Input {...control} dir="auto" value={draft.name} onChange={(event) => set({ name: event.target.value })} />
        )}
      </Field>
      {canChooseFormat && (
        <Field label={t('form.format')} hint={t('form.formatHint')}>
          {(control) => (
            <Select
              {...control}
              value={draft.format}
              onChange={(format) => set({ format })}
              options={FORMATS.map((value) => ({ value, label: t(`form.formats.${value}`) }))}
            />
          )}
        </Field>
      )}
      <div className="flex flex-col items-start gap-1.5">
        <div className="w-full">
          <Field
            label={t('form.baseUrl')}
            hint={t(own ? 'form.baseUrlHint' : 'form.baseUrlCustomHint')}
            error={textOf('baseUrl')}
          >
            {(control) => (
              <Input
                {...control}
                mono
                inputMode="url"
                value={draft.baseUrl}
                placeholder={own ?? undefined}
                onChange={(event) => set({ baseUrl: event.target.value })}
              />
            )}
          </Field>
        </div>
        {own && draft.baseUrl.trim() !== own && draft.baseUrl.trim() !== '' && (
          <Button size="sm" variant="ghost" onClick={() => set({ baseUrl: own })} className="-ml-2.5 max-w-full">
            <span className="truncate">{t('form.reset', { url: own })}</span>
          </Button>
        )}
      </div>
      {keyField}
    </>
  );
}
