import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { changesOf, useAgent } from '../../../../stores/agent.ts';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { useEscape } from '../../../../ui/useEscape.ts';
import { ChangeList } from './ChangeList.tsx';

/** The changes of a run: beside it, or over it as a sheet in narrow windows. Esc closes it, wherever the focus is. */
export function ChangesPanel({
  conversationId,
  sheet,
  onClose,
}: {
  conversationId: string;
  sheet: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('agent');
  const id = useId();
  const changes = useAgent((state) => changesOf(state, conversationId));
  const list = <ChangeList key={conversationId} conversationId={conversationId} changes={changes} />;
  useEscape(() => {
    onClose();
    return true;
  });

  if (sheet) {
    return (
      <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-30 bg-shade" />
          <Dialog.Content
            aria-describedby={undefined}
            // The first button would show its tooltip over the list.
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              if (event.target instanceof HTMLElement) event.target.focus();
            }}
            data-testid="changes-panel"
            className="appear fixed inset-y-0 right-0 z-30 flex w-90 max-w-[calc(100vw-48px)] flex-col bg-surface-0 shadow-float outline-none"
          >
            <PanelHead onClose={onClose}>
              <Dialog.Title className="font-medium text-base">{t('changes.title')}</Dialog.Title>
            </PanelHead>
            <div className="relative min-h-0 grow overflow-y-auto">{list}</div>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    );
  }
  return (
    <aside aria-labelledby={id} data-testid="changes-panel" className="flex w-80 shrink-0 flex-col bg-surface-0">
      <PanelHead onClose={onClose}>
        <h2 id={id} className="font-medium text-base">
          {t('changes.title')}
        </h2>
      </PanelHead>
      <div className="relative min-h-0 grow overflow-y-auto">{list}</div>
    </aside>
  );
}

function PanelHead({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation('agent');
  return (
    <div className="flex h-13 shrink-0 items-center justify-between gap-2 pr-2 pl-4">
      {children}
      <IconButton icon={X} label={t('changes.hide')} tooltipSide="bottom" onClick={onClose} />
    </div>
  );
}
