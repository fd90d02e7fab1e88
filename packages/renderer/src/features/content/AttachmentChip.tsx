import { FileText, ImageIcon, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { VisibleText } from '../../ui/VisibleText.tsx';

export interface ChipProps {
  name: string;
  serverName: string;
  isPicture: boolean;
  /** The address, shown on hovering. */
  uri: string;
}

const look =
  'inline-flex h-8 min-w-0 max-w-full items-center gap-2 rounded-md border border-border bg-surface-2 px-2.5 text-sm';

/** Something that will be sent with a message, and can be taken away again. */
export function RemovableChip({ onRemove, ...chip }: ChipProps & { onRemove: () => void }) {
  const { t } = useTranslation('content');
  const label = t('removeAttachment', { name: chip.name });
  return (
    <span data-testid="attachment-chip" title={chip.uri} className={`${look} pr-1`}>
      <ChipText {...chip} />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={onRemove}
        className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted transition-colors hover:bg-surface-3 hover:text-text"
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  );
}

/** Something that was sent with a message; opens to what it was. */
export function OpenableChip({ onOpen, ...chip }: ChipProps & { onOpen: () => void }) {
  const { t } = useTranslation('content');
  return (
    <button
      type="button"
      data-testid="sent-attachment"
      title={chip.uri}
      aria-label={t('openAttachment', { name: chip.name, server: chip.serverName })}
      onClick={onOpen}
      className={`${look} transition-colors hover:bg-surface-3`}
    >
      <ChipText {...chip} />
    </button>
  );
}

function ChipText({ name, serverName, isPicture }: ChipProps): ReactNode {
  const Icon = isPicture ? ImageIcon : FileText;
  return (
    <>
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">
        <VisibleText text={name} />
      </span>
      <span className="max-w-32 shrink-0 truncate text-muted text-xs">{serverName}</span>
    </>
  );
}
