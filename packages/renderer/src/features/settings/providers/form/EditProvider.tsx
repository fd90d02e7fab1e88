import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProviders } from '../../../../stores/providers.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { focusFirstInvalid } from '../../shared/focus-invalid.ts';
import { forgetKept, useKeptState } from '../../shared/kept-state.ts';
import { SubPage } from '../../shared/SectionPage.tsx';
import { StartStopButton } from '../../shared/StartStopButton.tsx';
import { KEY_TONES } from '../list/ProviderRow.tsx';
import { draftOf, movedFrom, type ProviderDraft, toUpdateInput, validateProvider } from '../logic/provider-draft.ts';
import type { ProvidersPage } from '../page-state.ts';
import { stopTest, updateProvider } from '../provider-actions.ts';
import { RemoveProviderDialog } from '../RemoveProviderDialog.tsx';
import { TestResult } from '../TestResult.tsx';
import { useProviderTest } from '../useProviderTest.ts';
import { KeyField } from './KeyField.tsx';
import { ModelsEditor } from './ModelsEditor.tsx';
import { ProviderFields } from './ProviderFields.tsx';

/** A provider's own page: its settings, a test, and its models. */
export function EditProvider({
  provider,
  preset,
  testNow,
  go,
}: {
  provider: ProviderView;
  preset: ProviderPreset | undefined;
  testNow: boolean;
  go: (page: ProvidersPage) => void;
}) {
  const { t } = useTranslation(['providers', 'common']);
  const others = (useProviders((state) => state.providers) ?? []).filter(({ id }) => id !== provider.id);
  const keptAs = `providers.draft.id.${provider.id}`;
  const initial = draftOf(provider, preset);
  const [draft, setDraft] = useKeptState<ProviderDraft>(keptAs, () => initial);
  const [checked, setChecked] = useState(false);
  const [removing, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const test = useProviderTest();
  const all = validateProvider(
    draft,
    preset,
    others.map(({ name }) => name),
  );
  const problems = checked ? all : {};
  const moved = movedFrom(draft, provider, preset);
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial);

  // Asked for by whoever opened the page; once, and not again by StrictMode's second run.
  const started = useRef(false);
  useEffect(() => {
    if (!testNow || started.current) return;
    started.current = true;
    void test.run(provider);
    go({ name: 'edit', providerId: provider.id });
  }, [testNow, test, provider, go]);

  const save = useAction(async (thenTest: boolean) => {
    const saved = await updateProvider(toUpdateInput(draft, provider, preset));
    forgetKept(keptAs);
    if (thenTest) void test.run(saved);
    else go({ name: 'list', focus: provider.id });
  });
  // A new key is tried at once, as that of a new provider is: without its models nothing can be chosen.
  const newKey = draft.keyChange === 'replace' && draft.key.trim() !== '';
  const submit = (thenTest = newKey) => {
    setChecked(true);
    if (Object.keys(all).length > 0) focusFirstInvalid(form.current);
    else void save.run(thenTest);
  };

  return (
    <SubPage
      title={provider.name}
      back={t('title')}
      dirty={dirty}
      onBack={() => {
        forgetKept(keptAs);
        go({ name: 'list', focus: provider.id });
      }}
      actions={
        <>
          {test.error?.code === 'key-refused' ? (
            <Badge tone="danger">{t('key.refused')}</Badge>
          ) : (
            <Badge tone={KEY_TONES[provider.keyState]}>{t(`key.${provider.keyState}`)}</Badge>
          )}
          {!provider.enabled && <Badge>{t('off')}</Badge>}
          <Button size="sm" variant="danger" icon={Trash2} onClick={() => setRemoving(true)}>
            {t('common:remove')}
          </Button>
        </>
      }
    >
      {(leave) => (
        <div className="flex flex-col gap-8">
          <form
            ref={form}
            aria-label={provider.name}
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
              set={(values) => setDraft({ ...draft, ...values })}
              preset={preset}
              problems={problems}
              canChooseFormat={false}
              keyField={
                <KeyField
                  draft={draft}
                  set={(values) => setDraft({ ...draft, ...values })}
                  preset={preset}
                  keyState={provider.keyState}
                  movedFrom={moved}
                  error={problems.key && t(`problem.${problems.key}`)}
                />
              }
            />
            <TestResult provider={provider} test={test} />
            {save.error && <ErrorNote error={save.error} />}
            <div className="flex flex-wrap gap-2">
              <Button type="submit" variant="primary" disabled={!dirty} busy={save.busy}>
                {t('common:save')}
              </Button>
              <StartStopButton
                running={test.busy}
                onStart={() => (dirty ? submit(true) : test.run(provider))}
                onStop={() => stopTest(provider.id)}
              >
                {t(dirty ? 'form.saveAndTest' : 'form.test')}
              </StartStopButton>
              {dirty && (
                <Button variant="ghost" onClick={leave}>
                  {t('common:cancel')}
                </Button>
              )}
            </div>
          </form>
          <ModelsEditor provider={provider} />
          {removing && (
            <RemoveProviderDialog
              provider={provider}
              onRemoved={() => {
                setRemoving(false);
                forgetKept(keptAs);
                go({ name: 'list', focus: 'add' });
              }}
              onClose={() => setRemoving(false)}
            />
          )}
        </div>
      )}
    </SubPage>
  );
}
