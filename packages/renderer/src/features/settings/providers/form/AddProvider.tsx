import type { ProviderPreset } from '@shared/contracts/providers.contract.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProviders } from '../../../../stores/providers.ts';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { focusFirstInvalid } from '../../shared/focus-invalid.ts';
import { forgetKept, useKeptState } from '../../shared/kept-state.ts';
import { SubPage } from '../../shared/SectionPage.tsx';
import { newDraft, type ProviderDraft, toAddInput, validateProvider } from '../logic/provider-draft.ts';
import type { ProvidersPage } from '../page-state.ts';
import { addProvider } from '../provider-actions.ts';
import { KeyField } from './KeyField.tsx';
import { ProviderFields } from './ProviderFields.tsx';

/** The form for a new provider. Once added it is tried out, on its own page. */
export function AddProvider({ preset, go }: { preset: ProviderPreset; go: (page: ProvidersPage) => void }) {
  const { t } = useTranslation(['providers', 'common']);
  const names = (useProviders((state) => state.providers) ?? []).map(({ name }) => name);
  const keptAs = `providers.draft.${preset.id}`;
  const [initial] = useState(() => newDraft(preset, names));
  const [draft, setDraft] = useKeptState<ProviderDraft>(keptAs, () => initial);
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isCustom = preset.id === 'custom';
  const all = validateProvider(draft, preset, names);
  const problems = checked ? all : {};
  const set = (values: Partial<ProviderDraft>) => setDraft({ ...draft, ...values });

  useEffect(() => {
    // Name and address are filled in; what is missing first is the key, where there is one.
    const wanted = preset.needsKey ? 'input[type="password"]' : 'input';
    form.current?.querySelector<HTMLElement>(wanted)?.focus();
  }, [preset]);

  const add = useAction(async () => {
    const provider = await addProvider(toAddInput(draft, preset));
    forgetKept(keptAs);
    go({ name: 'edit', providerId: provider.id, test: true });
  });
  const submit = () => {
    setChecked(true);
    if (Object.keys(all).length > 0) focusFirstInvalid(form.current);
    else void add.run();
  };

  const title = isCustom ? t('choose.title') : t('form.addTitle', { name: preset.name });
  return (
    <SubPage
      title={title}
      back={t('choose.title')}
      dirty={JSON.stringify(draft) !== JSON.stringify(initial)}
      onBack={() => {
        forgetKept(keptAs);
        go({ name: 'choose' });
      }}
    >
      {(leave) => (
        <form
          ref={form}
          aria-label={title}
          data-testid="provider-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
          className="flex flex-col gap-5"
        >
          <ProviderFields
            draft={draft}
            set={set}
            preset={preset}
            problems={problems}
            canChooseFormat={isCustom}
            keyField={
              <KeyField draft={draft} set={set} preset={preset} error={problems.key && t(`problem.${problems.key}`)} />
            }
          />
          {add.error && <ErrorNote error={add.error} />}
          <div className="flex flex-wrap gap-2 border-border border-t pt-5">
            <Button type="submit" variant="primary" busy={add.busy}>
              {t('common:add')}
            </Button>
            <Button variant="ghost" onClick={leave}>
              {t('common:cancel')}
            </Button>
          </div>
        </form>
      )}
    </SubPage>
  );
}
