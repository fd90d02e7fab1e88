import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { useApp } from '../../../stores/app.ts';
import { useSettings } from '../../../stores/settings.ts';
import { narrowWindow } from '../../../stores/sidebar.ts';
import { toastError } from '../../../stores/toasts.ts';

const MIN_WIDTH = 200;
const MAX_WIDTH = 480;
const KEY_STEP = 16;
const clamp = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));

/** True while the window is too narrow for a sidebar beside the conversation. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = narrowWindow();
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => narrowWindow().matches,
  );
}

/** The sidebar's place: a column that can be resized and hidden, or a drawer in narrow windows. */
export function SidebarFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const narrow = useNarrow();
  const drawerOpen = useApp((state) => state.drawerOpen);
  const setDrawer = useApp((state) => state.setDrawer);
  const open = useSettings((state) => state.settings?.sidebarOpen ?? true);

  if (narrow) {
    return (
      <Dialog.Root open={drawerOpen} onOpenChange={setDrawer}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-30 bg-shade" />
          <Dialog.Content
            aria-describedby={undefined}
            // The first button would show its tooltip over the list.
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              if (event.target instanceof HTMLElement) event.target.focus();
            }}
            className="slide-in fixed inset-y-0 left-0 z-30 w-72 shadow-float outline-none"
          >
            <Dialog.Title className="sr-only">{t('sidebar.label')}</Dialog.Title>
            {children}
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    );
  }
  return open ? <Column>{children}</Column> : null;
}

function Column({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell');
  const stored = useSettings((state) => state.settings?.sidebarWidth ?? 264);
  const [dragged, setDragged] = useState<number | null>(null);
  const width = dragged ?? stored;

  const keep = (next: number) =>
    useSettings
      .getState()
      .set({ sidebarWidth: clamp(next) })
      .catch((thrown) => toastError(toApiError(thrown)));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') keep(stored - KEY_STEP);
    if (event.key === 'ArrowRight') keep(stored + KEY_STEP);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (dragged !== null) setDragged(clamp(event.clientX));
  };

  return (
    <div className="relative h-full shrink-0" style={{ width }}>
      {children}
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no <hr> */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('sidebar.resize')}
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH}
        aria-valuemax={MAX_WIDTH}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(stored);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          if (dragged === null) return;
          void keep(dragged).then(() => setDragged(null));
        }}
        className="absolute inset-y-0 -right-1 z-10 w-2 cursor-col-resize outline-offset-[-3px]"
      />
    </div>
  );
}
