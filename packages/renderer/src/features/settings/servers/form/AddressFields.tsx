import { useTranslation } from 'react-i18next';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import type { DraftFieldsProps } from './LimitFields.tsx';
import { NameValueRows } from './NameValueRows.tsx';

/** What a server that runs elsewhere needs to be reached. */
export function AddressFields({ draft, set, problems, textOf }: DraftFieldsProps) {
  const { t } = useTranslation('servers');
  return (
    <>
      <Field label={t('form.url')} error={textOf('url')}>
        {(control) => (
          <Input
            {...control}
            mono
            type="text"
            inputMode="url"
            value={draft.url}
            onChange={(event) => set({ url: event.target.value })}
            placeholder="https://example.com/mcp"
          />
        )}
      </Field>
      <NameValueRows
        kind="headers"
        rows={draft.headers}
        onChange={(headers) => set({ headers })}
        problemOf={({ id }) => problems[`headers.${id}`]}
      />
    </>
  );
}
