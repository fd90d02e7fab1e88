import type { AttachmentPart } from '@shared/contracts/mcp-content-types.ts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { OpenableChip } from './AttachmentChip.tsx';
import { AttachmentContent } from './AttachmentContent.tsx';

/** What was sent with a message, as it was then. */
export function SentAttachments({ parts }: { parts: readonly AttachmentPart[] }) {
  const { t } = useTranslation('content');
  const [open, setOpen] = useState<AttachmentPart | null>(null);
  const content = useRef<HTMLDivElement>(null);
  if (parts.length === 0) return null;
  return (
    <ul aria-label={t('attached')} className="flex max-w-[min(85%,72ch)] flex-wrap justify-end gap-1.5 pt-1.5">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message that was sent never changes
        <li key={index} className="min-w-0 max-w-full">
          <OpenableChip {...part} isPicture={part.image !== undefined} onOpen={() => setOpen(part)} />
        </li>
      ))}
      {open && (
        <Dialog
          open
          onClose={() => setOpen(null)}
          size="lg"
          testId="attachment-dialog"
          // What one came to read, where the arrow keys scroll.
          initialFocus={content}
          title={open.name}
          description={
            <>
              {t('from', { server: open.serverName })}
              {open.uri !== '' && (
                <span className="block [overflow-wrap:anywhere]">
                  <VisibleText text={open.uri} />
                </span>
              )}
            </>
          }
        >
          <div ref={content} tabIndex={-1} className="outline-none">
            <AttachmentContent part={open} />
          </div>
        </Dialog>
      )}
    </ul>
  );
}
