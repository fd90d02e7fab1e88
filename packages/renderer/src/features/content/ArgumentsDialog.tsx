import type { CallInput } from '@shared/contracts/contract.ts';
import type { McpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import { type Ref, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../bridge/api.ts';
import { unwrap } from '../../bridge/errors.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field } from '../../ui/Field.tsx';
import { useAction } from '../../ui/useAction.ts';
import { SuggestInput } from './SuggestInput.tsx';

export interface ArgumentField {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
}

type Of = CallInput<McpContentContract, 'complete'>['of'];

/** Asks for the arguments of a template or a prompt, with the server's suggestions. */
export function ArgumentsDialog({
  title,
  description,
  serverId,
  of,
  fields,
  submitLabel,
  onSubmit,
  onClose,
}: {
  title: string;
  description: string;
  serverId: string;
  of: Of;
  fields: readonly ArgumentField[];
  submitLabel: string;
  /** The dialog stays, with the reason, when it rejects. Fields that are empty are left out. */
  onSubmit: (values: Record<string, string>) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation(['content', 'common']);
  const formId = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const [tried, setTried] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const submit = useAction(() => onSubmit(filled));
  const isMissing = ({ name, required }: ArgumentField) => required && filled[name] === undefined;

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      testId="arguments-dialog"
      initialFocus={fields.length > 0 ? first : form}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={submit.busy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        id={formId}
        tabIndex={-1}
        noValidate
        className="flex flex-col gap-4 outline-none"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!fields.some(isMissing)) void submit.run();
        }}
      >
        {submit.error && <ErrorNote error={submit.error} />}
        {fields.map((field, index) => (
          <Field
            key={field.name}
            label={field.title ?? field.name}
            hint={field.description}
            error={tried && isMissing(field) ? t('required') : null}
            optional={field.required ? undefined : t('common:optional')}
          >
            {(control) => (
              <SuggestedField
                {...control}
                inputRef={index === 0 ? first : undefined}
                serverId={serverId}
                of={of}
                name={field.name}
                values={filled}
                value={values[field.name] ?? ''}
                onChange={(value) => setValues((old) => ({ ...old, [field.name]: value }))}
              />
            )}
          </Field>
        ))}
      </form>
    </Dialog>
  );
}

function SuggestedField({
  serverId,
  of,
  name,
  values,
  ...input
}: {
  id: string;
  inputRef: Ref<HTMLInputElement> | undefined;
  serverId: string;
  of: Of;
  name: string;
  values: Record<string, string>;
  value: string;
  onChange: (value: string) => void;
}) {
  const { [name]: _own, ...others } = values;
  // The same while nothing has changed, so that nothing is asked twice.
  const question = JSON.stringify({ serverId, of, name, context: others });
  const suggest = useCallback(
    async (value: string) => {
      const { name: argument, ...asked } = JSON.parse(question);
      return (await unwrap(api().mcpContent.complete({ ...asked, argument: { name: argument, value } }))).values;
    },
    [question],
  );
  return <SuggestInput {...input} name={name} testId={`argument-${name}`} suggest={suggest} />;
}

/** Which arguments of a template it can do without: those of its query. */
export function templateFields(template: { uriTemplate: string; arguments: string[] }): ArgumentField[] {
  const optional = new Set(
    [...template.uriTemplate.matchAll(/\{[?&]([^}]*)\}/g)].flatMap(([, names]) =>
      (names ?? '').split(',').map((name) => name.replace(/(?:\*|:\d+)$/, '').trim()),
    ),
  );
  return template.arguments.map((name) => ({ name, required: !optional.has(name) }));
}
