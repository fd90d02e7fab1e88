import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';

export interface EnteredClient {
  id: string;
  secret?: string;
}

/** For services that don't let apps register themselves: the client that the person made there. */
export function ClientFields({ busy, onSubmit }: { busy: boolean; onSubmit: (client: EnteredClient) => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== '') onSubmit({ id: id.trim(), secret: secret === '' ? undefined : secret });
      }}
    >
      <Field label={t('signIn.clientId')}>
        {(control) => <Input {...control} mono value={id} onChange={(event) => setId(event.target.value)} />}
      </Field>
      <Field label={t('signIn.clientSecret')} optional={t('common:optional')}>
        {(control) => (
          <Input {...control} mono type="password" value={secret} onChange={(event) => setSecret(event.target.value)} />
        )}
      </Field>
      <Button type="submit" busy={busy} disabled={id.trim() === ''} className="self-start">
        {t('signIn.continue')}
      </Button>
    </form>
  );
}
