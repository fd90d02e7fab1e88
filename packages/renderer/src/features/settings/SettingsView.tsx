import { ArrowLeft, Bot, Boxes, Info, type LucideIcon, Settings2, Wrench } from 'lucide-react';
import { type ComponentType, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type SettingsSection, useApp } from '../../stores/app.ts';
import { cx } from '../../ui/cx.ts';
import { overlayOpen } from '../../ui/overlay.ts';
import { About } from './about/About.tsx';
import { Agents } from './agents/Agents.tsx';
import { General } from './general/General.tsx';
import { Providers } from './providers/Providers.tsx';
import { Servers } from './servers/Servers.tsx';
import { toFirstPage } from './shared/kept-state.ts';
import { SecretChoiceDialog } from './shared/SecretChoiceDialog.tsx';

const sections: Record<SettingsSection, { icon: LucideIcon; Content: ComponentType }> = {
  providers: { icon: Boxes, Content: Providers },
  servers: { icon: Wrench, Content: Servers },
  agents: { icon: Bot, Content: Agents },
  general: { icon: Settings2, Content: General },
  about: { icon: Info, Content: About },
};

/** The settings: a full view, its sections beside it (above it in narrow windows). Esc goes back to the chat. */
export default function SettingsView() {
  const { t } = useTranslation('settings');
  const go = useApp((state) => state.go);
  const section = useApp((state) => (state.view.name === 'settings' ? state.view.section : 'providers'));
  const { Content } = sections[section];
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    // What was pressed to get here is gone; a form within has taken the focus by itself.
    if (document.activeElement === document.body) {
      nav.current?.querySelector<HTMLElement>('[aria-current="page"]')?.focus();
    }
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Dialogs and menus take their own Esc first; so does a field that is being typed in.
      const typing = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (event.key !== 'Escape' || event.defaultPrevented || typing || overlayOpen()) return;
      go(useApp.getState().home);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [go]);

  return (
    <div className="flex h-full narrow:flex-col">
      <nav
        ref={nav}
        aria-label={t('sections.label')}
        className="flex w-60 shrink-0 flex-col gap-1 p-3 narrow:w-full narrow:flex-row narrow:flex-wrap narrow:items-center narrow:p-2"
      >
        <button
          type="button"
          data-testid="nav-chat"
          onClick={() => go(useApp.getState().home)}
          className="mb-3 flex h-9 items-center gap-2.5 rounded-md px-3 text-left text-muted text-sm transition-colors hover:bg-surface-3 hover:text-text narrow:mb-0"
        >
          <ArrowLeft size={16} aria-hidden />
          {t('back')}
        </button>
        {(Object.keys(sections) as SettingsSection[]).map((name) => {
          const { icon: Icon } = sections[name];
          return (
            <button
              key={name}
              type="button"
              data-testid={`settings-${name}`}
              aria-current={name === section ? 'page' : undefined}
              onClick={() => {
                if (name === section) toFirstPage(name);
                go({ name: 'settings', section: name });
              }}
              className={cx(
                'flex h-9 items-center gap-2.5 rounded-md px-3 text-left text-sm transition-colors',
                name === section ? 'bg-surface-3 font-medium' : 'text-muted hover:bg-surface-3 hover:text-text',
              )}
            >
              <Icon size={16} aria-hidden />
              {t(`sections.${name}`)}
            </button>
          );
        })}
      </nav>
      <main
        key={section}
        className="relative min-w-0 grow overflow-y-auto bg-surface-1 [scrollbar-gutter:stable_both-edges] narrow:border-border narrow:border-t"
      >
        <div className="mx-auto max-w-180 px-8 pt-10 pb-20 narrow:max-w-174 narrow:px-5 narrow:pt-6">
          <Content />
        </div>
      </main>
      <SecretChoiceDialog />
    </div>
  );
}
