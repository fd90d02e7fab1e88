import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import { IconButton } from './IconButton.tsx';
import { useReturnFocus } from './useReturnFocus.ts';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, in a row at the bottom right. */
  footer?: ReactNode;
  /** 440, 640 or 960 px. Default `md`. */
  size?: 'md' | 'lg' | 'xl';
  /** What has the focus at first. Default: the first control below the title, else the dialog itself. */
  initialFocus?: RefObject<HTMLElement | null>;
  testId?: string;
}

const widths = { md: 'max-w-110', lg: 'max-w-160', xl: 'max-w-240' };

/** A dialog over the window. Esc and a click beside it close it; focus goes back to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'md',
  initialFocus,
  testId,
}: DialogProps) {
  const { t } = useTranslation();
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          data-testid={testId}
          onCloseAutoFocus={returnFocus.onCloseAutoFocus}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus(event);
            event.preventDefault();
            (initialFocus?.current ?? firstControl(event.target as HTMLElement)).focus();
          }}
          className={cx(
            'appear fixed inset-0 z-40 m-auto flex h-fit max-h-[calc(100vh-48px)] w-[calc(100vw-48px)] flex-col rounded-lg border border-border bg-surface-1 shadow-float outline-none [overflow-wrap:anywhere]',
            widths[size],
          )}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <Radix.Title className="min-w-0 pt-0.5 font-semibold text-lg">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label={t('close')} className="-mr-2" />
            </Radix.Close>
          </header>
          <div data-body className="min-h-0 grow overflow-y-auto px-5 pt-1 pb-5">
            {description && (
              <Radix.Description asChild>
                <div className="text-muted text-sm">{description}</div>
              </Radix.Description>
            )}
            {children && <div className="pt-4">{children}</div>}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-border border-t px-5 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What a dialog is about, and not the button that closes it: that would show its tooltip. The dialog itself where there is nothing. */
function firstControl(dialog: HTMLElement): HTMLElement {
  const controls = ['input', 'textarea', 'select', 'button', 'a[href]', '[tabindex="0"]'];
  const usable = controls.map((control) => `${control}:not(:disabled, [tabindex="-1"])`);
  return dialog.querySelector<HTMLElement>(`:is([data-body], footer) :is(${usable})`) ?? dialog;
}

/** Asks before something that can't be taken back. Cancel has the focus. */
export function ConfirmDialog({
  open,
  title,
  description,
  confirmLabel,
  cancelLabel,
  busy,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  description: ReactNode;
  confirmLabel: string;
  /** Default: Cancel. */
  cancelLabel?: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade" />
        <Radix.Content
          {...returnFocus}
          role="alertdialog"
          className="appear fixed inset-0 z-40 m-auto flex h-fit w-[calc(100vw-48px)] max-w-110 flex-col rounded-lg border border-border bg-surface-1 shadow-float outline-none [overflow-wrap:anywhere]"
        >
          <div className="px-5 pt-4 pb-5">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="pt-1 text-muted text-sm">{description}</div>
            </Radix.Description>
          </div>
          <footer className="flex justify-end gap-2 border-border border-t px-5 py-3">
            <Radix.Close asChild>
              <Button>{cancelLabel ?? t('cancel')}</Button>
            </Radix.Close>
            <Button variant="danger" busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
