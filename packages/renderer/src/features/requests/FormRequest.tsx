import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { FormFieldInput } from './FormFields.tsx';
import { type Entered, initialValues, problemOf, toAnswer } from './form-values.ts';
import { type RequestBodyProps, Said } from './RequestView.tsx';
import { SafeButton } from './SafeButton.tsx';

/** A form that a server asks to be filled in. Fields are checked when it is sent, and from then on as they change. */
export function FormRequest({ question, answering, onTyped }: RequestBodyProps<'form'>) {
  const { t } = useTranslation('requests');
  const { fields } = question;
  const [values, setValues] = useState(() => initialValues(fields));
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problems = new Map(fields.map((field) => [field.name, problemOf(field, values.get(field.name))]));

  const change = (name: string, value: Entered) => {
    onTyped(true);
    setValues((old) => new Map(old).set(name, value));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ([...problems.values()].some((problem) => problem !== undefined)) {
      // When the marks are there.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] [role="checkbox"]')?.focus(),
      );
      return;
    }
    answering.answer(toAnswer(fields, values));
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex min-w-0 flex-col gap-4">
      <Said text={question.message} />
      {/* A long form scrolls by itself, so that who asks and the answers stay on the screen: they and the composer take 380 px. */}
      <div className="-mx-1 flex max-h-[max(calc(100vh-380px),200px)] min-w-0 flex-col gap-4 overflow-y-auto px-1 py-1">
        {fields.map((field) => (
          <FormFieldInput
            key={field.name}
            field={field}
            value={values.get(field.name)}
            problem={checked ? problems.get(field.name) : undefined}
            onChange={(value) => change(field.name, value)}
          />
        ))}
      </div>
      <p className="text-muted text-xs">{t('form.warning')}</p>
      <div className="flex flex-wrap gap-2">
        <SafeButton answering={answering} />
        <Button
          type="submit"
          variant="primary"
          busy={answering.sending === 'accept'}
          disabled={answering.sending !== null}
        >
          {t('form.send')}
        </Button>
      </div>
    </form>
  );
}
