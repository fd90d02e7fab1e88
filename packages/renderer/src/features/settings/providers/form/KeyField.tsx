import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { ExternalLink } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../../bridge/errors.ts';
import { useSettings } from '../../../../stores/settings.ts';
import { toastError } from '../../../../stores/toasts.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { useSecretKeeping } from '../../shared/useSecretKeeping.ts';
import { isInsecure, type ProviderDraft } from '../logic/provider-draft.ts';

/** The key: typed in once and never shown again. A stored one can be replaced or forgotten. */
export function KeyField({
  draft,
  set,
  preset,
  keyState,
  movedFrom,
  error,
}: {
  draft: ProviderDraft;
  set: (values: Partial<ProviderDraft>) => void;
  preset: ProviderPreset | undefined;
  /** Of the stored key; absent for a new provider. */
  keyState?: ProviderView['keyState'];
  /** The origin that the stored key was given for, where the address has left it. */
  movedFrom?: string;
  error?: string;
}) {
  const { t } = useTranslation(['providers', 'common']);
  const input = useRef<HTMLInputElement>(null);
  const keeping = useSecretKeeping();
  const sessionOnly = useSettings(({ settings }) => settings?.weakSecrets === 'session-only');
  const stored = keyState === 'set' && movedFrom === undefined;
  const kept = stored && draft.keyChange !== 'replace';
  const typed = draft.key.trim() !== '';

  const hint = [
    movedFrom !== undefined && t('form.keyMoved', { origin: movedFrom }),
    keyState === 'unreadable' && t(sessionOnly ? 'form.keyUnreadableSession' : 'form.keyUnreadable'),
    typed && isInsecure(draft.baseUrl) && t('form.insecure'),
  ].filter((text) => text !== false);

  const replace = () => {
    set({ keyChange: 'replace', key: '' });
    requestAnimationFrame(() => input.current?.focus());
  };

  return (
    <div className="flex flex-col items-start gap-1.5">
      {kept ? (
        <fieldset className="flex w-full flex-col gap-1.5">
          <legend className="pb-1.5 font-medium text-sm">{t('form.key')}</legend>
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <span className="grow text-muted">
              {t(draft.keyChange === 'forget' ? 'form.willForget' : 'form.keySet')}
            </span>
            <Button size="sm" onClick={replace}>
              {t('form.replace')}
            </Button>
            {draft.keyChange === 'forget' ? (
              <Button size="sm" onClick={() => set({ keyChange: 'keep' })}>
                {t('form.keepKey')}
              </Button>
            ) : (
              <Button size="sm" variant="danger" onClick={() => set({ keyChange: 'forget' })}>
                {t('form.forget')}
              </Button>
            )}
          </div>
        </fieldset>
      ) : (
        <div className="w-full">
          <Field
            label={t('form.key')}
            optional={preset?.needsKey ? undefined : t('common:optional')}
            hint={
              hint.length > 0 ? (
                <span className="text-warning">{hint.join(' ')}</span>
              ) : (
                keeping && t(`form.keyHint.${keeping}`)
              )
            }
            error={error}
          >
            {(control) => (
              <Input
                {...control}
                ref={input}
                mono
                type="password"
                autoComplete="new-password"
                value={draft.key}
                onChange={(event) => set({ key: event.target.value, keyChange: 'replace' })}
              />
            )}
          </Field>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {preset?.keyUrl && (
          <Button
            size="sm"
            variant="ghost"
            icon={ExternalLink}
            onClick={() => openLink(preset.keyUrl)}
            className="-ml-2.5"
          >
            {t('form.getKey')}
          </Button>
        )}
        {stored && draft.keyChange === 'replace' && (
          <Button size="sm" variant="ghost" onClick={() => set({ keyChange: 'keep', key: '' })} className="-ml-2.5">
            {t('form.keepKey')}
          </Button>
        )}
      </div>
    </div>
  );
}

function openLink(url: string | null): void {
  if (url !== null) unwrap(api().app.openExternal({ url })).catch((thrown) => toastError(toApiError(thrown)));
}
