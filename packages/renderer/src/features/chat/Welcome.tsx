import { Boxes, CornerDownLeft, Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../bridge/errors.ts';
import { useApp } from '../../stores/app.ts';
import { useConversations } from '../../stores/conversations.ts';
import { useDrafts } from '../../stores/drafts.ts';
import { useProviders } from '../../stores/providers.ts';
import { useServers } from '../../stores/servers.ts';
import { useSettings } from '../../stores/settings.ts';
import { toastError } from '../../stores/toasts.ts';
import { AppIcon } from '../../ui/AppIcon.tsx';
import { Button } from '../../ui/Button.tsx';
import { focusComposer } from './composer/focus.ts';
import { useActiveModel } from './model.ts';

const examples = ['list', 'read', 'search'] as const;

/** A conversation that has no message yet: what can be asked here, and on the first run what to set up next. */
export function Welcome() {
  const { t } = useTranslation('chat');
  const go = useApp((state) => state.go);
  const write = useDrafts((state) => state.write);
  const welcomed = useSettings((state) => state.settings?.welcomed ?? true);
  const setSetting = useSettings((state) => state.set);
  const { state } = useActiveModel();
  const hasProvider = useProviders((all) => all.providers?.some(({ format }) => format !== 'demo') ?? false);
  const isDemo = 'provider' in state && state.provider.format === 'demo';
  const sampleReady = useServers((servers) =>
    Boolean(servers.servers?.some(({ server }) => server.builtin !== undefined && server.enabled)),
  );

  const take = (text: string) => {
    write(useConversations.getState().selectedId, text);
    focusComposer();
    if (!welcomed) void close();
  };
  const close = () => setSetting({ welcomed: true }).catch((thrown) => toastError(toApiError(thrown)));

  return (
    <div className="flex h-full overflow-y-auto [scrollbar-gutter:stable_both-edges]">
      <div className="m-auto flex w-full max-w-160 flex-col gap-6 px-6 py-4">
        <div className="flex flex-col items-center gap-3 text-center">
          <AppIcon size={56} />
          <h2 className="font-semibold text-xl tracking-tight">{t('welcome.title')}</h2>
          <p className="max-w-110 text-balance text-muted">{t(isDemo ? 'welcome.demo' : 'welcome.text')}</p>
        </div>
        {sampleReady && (
          <ul aria-label={t('welcome.examples')} className="flex flex-col gap-2">
            {examples.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  data-testid="example-prompt"
                  onClick={() => take(t(`welcome.example.${name}`))}
                  className="group flex min-h-11 w-full items-center justify-between gap-3 rounded-lg border border-border bg-surface-2 px-4 py-2 text-left text-sm transition-colors hover:border-border-strong"
                >
                  {t(`welcome.example.${name}`)}
                  <CornerDownLeft
                    size={16}
                    aria-hidden
                    className="shrink-0 text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
                  />
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap justify-center gap-2">
          <Button icon={Boxes} onClick={() => go({ name: 'settings', section: 'providers', intent: 'add' })}>
            {t('welcome.addProvider')}
          </Button>
          <Button icon={Wrench} onClick={() => go({ name: 'settings', section: 'servers', intent: 'add' })}>
            {t('welcome.addServer')}
          </Button>
        </div>
        {!welcomed && !hasProvider && (
          <section aria-labelledby="first-steps" className="rounded-lg bg-surface-0 px-5 py-4 text-sm">
            <div className="flex items-center justify-between gap-4">
              <h3 id="first-steps" className="font-medium">
                {t('welcome.steps.title')}
              </h3>
              <Button size="sm" variant="ghost" onClick={close} className="-mr-2.75">
                {t('welcome.steps.close')}
              </Button>
            </div>
            <ol className="flex list-decimal flex-col gap-1 pt-1 pl-5 text-muted marker:tabular">
              <li>{t('welcome.steps.try')}</li>
              <li>{t('welcome.steps.provider')}</li>
              <li>{t('welcome.steps.server')}</li>
              <li>{t('welcome.steps.run')}</li>
            </ol>
          </section>
        )}
      </div>
    </div>
  );
}
