import type { AttachmentPart } from '@shared/contracts/mcp-content-types.ts';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../chat/tools/duration.ts';
import { FoldedText } from '../chat/tools/FoldedText.tsx';
import { mediaUrl } from '../chat/tools/media.ts';

/** What was read of a resource: its text, its picture, or what it is. Text is never taken as HTML. */
export function AttachmentContent({ part }: { part: AttachmentPart }) {
  const { t } = useTranslation('content');
  const size = formatBytes(part.size);
  const picture = part.image && mediaUrl('image', part.image);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {part.cut && <p className="text-sm text-warning">{t('cut', { size })}</p>}
      {part.text !== undefined && <FoldedText text={part.text} isError={false} />}
      {picture && (
        <img
          src={picture}
          alt={t('picture')}
          className="max-h-96 w-fit max-w-full rounded-md border border-border object-contain"
        />
      )}
      {part.text === undefined && !picture && !part.cut && (
        <p className="text-muted text-sm">{t('binary', { size })}</p>
      )}
    </div>
  );
}
