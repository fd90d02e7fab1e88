import type { ModelInfo, ProviderView } from '@shared/contracts/providers.contract.ts';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { MoreButton } from '../../shared/MoreButton.tsx';
import { SearchInput } from '../../shared/SearchInput.tsx';
import { usePaged } from '../../shared/usePaged.ts';
import { updateProvider } from '../provider-actions.ts';

/** How many models are put on the screen at once, and from how many on they can be searched. */
const STEP = 100;
const SEARCH_FROM = 8;

/** The models of a provider: as listed by it, and as added by hand. Changes are stored at once. */
export function ModelsEditor({ provider }: { provider: ProviderView }) {
  const { t } = useTranslation(['providers', 'common']);
  const [query, setQuery] = useState('');
  const { models } = provider;
  const store = useAction((next: ModelInfo[]) => updateProvider({ providerId: provider.id, models: next }));
  const wanted = query.trim().toLowerCase();
  const found = models.filter(({ id, name }) => `${id} ${name ?? ''}`.toLowerCase().includes(wanted));
  const { shown, rest, more } = usePaged(found, STEP, wanted);

  return (
    <section aria-labelledby="models-title" className="flex flex-col gap-3 border-border border-t pt-6">
      <h2 id="models-title" className="font-semibold text-lg">
        {t('modelList.title')} <span className="tabular font-normal text-muted text-sm">{models.length}</span>
      </h2>
      {models.length >= SEARCH_FROM && <SearchInput value={query} onChange={setQuery} label={t('modelList.search')} />}
      {found.length === 0 ? (
        <p className="text-muted text-sm">{t(models.length === 0 ? 'modelList.empty' : 'modelList.noMatch')}</p>
      ) : (
        <Card>
          <ul aria-labelledby="models-title" className="divide-y divide-border">
            {shown.map((model) => (
              <li key={model.id} className="flex min-h-10 items-center gap-3 py-1 pr-1.5 pl-4 text-sm">
                <span className="min-w-0 grow truncate" title={model.id}>
                  {model.name ?? model.id}
                  {model.name && model.name !== model.id && (
                    <span className="pl-2 font-mono text-muted text-xs">{model.id}</span>
                  )}
                </span>
                {model.contextWindow !== undefined && (
                  <span className="tabular shrink-0 text-muted text-xs max-sm:hidden">
                    {t('modelList.context', { tokens: model.contextWindow.toLocaleString() })}
                  </span>
                )}
                <IconButton
                  icon={X}
                  label={t('modelList.remove', { model: model.id })}
                  disabled={store.busy}
                  onClick={() => store.run(models.filter(({ id }) => id !== model.id))}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreButton rest={rest} onMore={more} />
      {store.error && <ErrorNote error={store.error} />}
      <AddModel models={models} busy={store.busy} onAdd={(id) => store.run([...models, { id }])} />
    </section>
  );
}

function AddModel({
  models,
  busy,
  onAdd,
}: {
  models: readonly ModelInfo[];
  busy: boolean;
  onAdd: (id: string) => Promise<boolean>;
}) {
  const { t } = useTranslation(['providers', 'common']);
  const [text, setText] = useState('');
  const id = text.trim();
  const taken = models.some((model) => model.id === id);
  const add = async () => {
    if (id !== '' && !taken && (await onAdd(id))) setText('');
  };
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label={t('modelList.addLabel')}
        hint={t('modelList.addHint')}
        error={taken ? t('modelList.taken') : undefined}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              mono
              value={text}
              maxLength={500}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) void add();
              }}
            />
            <Button busy={busy} disabled={id === '' || taken} onClick={add}>
              {t('common:add')}
            </Button>
          </div>
        )}
      </Field>
    </div>
  );
}
