import { CircleAlert, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../stores/app.ts';
import { useToasts } from '../stores/toasts.ts';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { IconButton } from './IconButton.tsx';

/** Where toasts appear: clear of the composer and, lying below dialogs, of their buttons. F8 moves the focus to them. */
export function Toaster() {
  const { t } = useTranslation();
  const toasts = useToasts((state) => state.toasts);
  const inChat = useApp((state) => state.view.name !== 'settings');
  const dismiss = useToasts((state) => state.dismiss);
  const viewport = useRef<HTMLOListElement>(null);
  return (
    <Radix.Provider label={t('toast.label')} duration={8000} swipeDirection="right">
      {toasts.map(({ id, tone, text, hint, action }) => (
        <Radix.Root
          key={id}
          type={tone === 'danger' ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && dismiss(id)}
          onEscapeKeyDown={(event) => {
            // Taken: Radix would close the toast and let the key go on to what is below.
            event.preventDefault();
            if (viewport.current?.contains(document.activeElement)) viewport.current.focus();
            dismiss(id);
          }}
          className="appear flex items-center gap-3 rounded-lg border border-border bg-surface-2 py-2 pr-2 pl-4 shadow-float"
        >
          {tone === 'danger' && <CircleAlert size={16} aria-hidden className="shrink-0 text-danger" />}
          <div className="min-w-0 grow py-1 text-sm [overflow-wrap:anywhere]">
            <Radix.Title className="line-clamp-3">{text}</Radix.Title>
            {hint && <Radix.Description className="text-muted">{hint}</Radix.Description>}
          </div>
          {action && (
            <Radix.Action asChild altText={action.label}>
              <Button size="sm" variant="ghost" onClick={action.run}>
                {action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton icon={X} label={t('dismiss')} />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport
        ref={viewport}
        label={t('toast.region')}
        className={cx(
          'fixed right-4 z-30 flex w-96 max-w-[calc(100vw-32px)] flex-col gap-2 outline-none',
          // Below the header and far from the composer; in the settings away from what a page offers at its top.
          inChat ? 'top-14' : 'bottom-4',
        )}
      />
    </Radix.Provider>
  );
}
