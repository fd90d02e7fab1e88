import { Popover as Radix } from 'radix-ui';
import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentKind } from '../../../../stores/content.ts';
import type { PickerProps } from './ContentPicker.tsx';

const load = () => import('./ContentPicker.tsx');
const ContentPicker = lazy(load);

/** The list of resources or prompts above the composer. Esc and a click beside it close it. */
export function ContentPanel({
  kind,
  anchor,
  onClose,
  ...picker
}: {
  /** Null while it is closed. */
  kind: ContentKind | null;
  anchor: ReactElement;
  /** Called when it closes, whether something was chosen or not: the focus belongs to the composer again. */
  onClose: () => void;
} & Omit<PickerProps, 'kind'>) {
  const { t } = useTranslation(['content', 'common']);
  // Ready by the time that somebody types the first @.
  useEffect(() => void load(), []);
  return (
    <Radix.Root open={kind !== null} onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor asChild>{anchor}</Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          data-testid="content-panel"
          aria-label={kind ? t(kind) : undefined}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          // The search takes the focus as soon as it is there; what is typed until then goes on into the message.
          onOpenAutoFocus={(event) => event.preventDefault()}
          // Whoever closes it says where the focus goes.
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="appear z-30 w-[min(var(--radix-popover-trigger-width),calc(100vw-16px))] overflow-hidden rounded-lg border border-border bg-surface-2 shadow-float outline-none"
        >
          <Suspense fallback={<div className="h-40 p-4 text-muted text-sm">{t('common:loading')}</div>}>
            {kind && <ContentPicker kind={kind} {...picker} />}
          </Suspense>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
