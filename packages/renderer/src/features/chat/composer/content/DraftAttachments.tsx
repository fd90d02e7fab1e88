import type { AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import { useTranslation } from 'react-i18next';
import { attachmentsOf, useDrafts } from '../../../../stores/drafts.ts';
import { RemovableChip } from '../../../content/AttachmentChip.tsx';
import { focusComposer } from '../focus.ts';

/** What will be sent with the draft. */
export function DraftAttachments({ conversationId }: { conversationId: string | null }) {
  const { t } = useTranslation('content');
  const attachments = useDrafts((state) => attachmentsOf(state, conversationId));
  const attach = useDrafts((state) => state.attach);
  if (attachments.length === 0) return null;
  return (
    <ul aria-label={t('attached')} className="flex max-h-28 flex-wrap gap-1.5 overflow-y-auto">
      {attachments.map((request, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same thing may be attached twice, and chips keep no state
        <li key={index} className="min-w-0 max-w-full">
          <RemovableChip
            {...chipOf(request)}
            onRemove={() => {
              attach(conversationId, attachments.toSpliced(index, 1));
              focusComposer();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function chipOf(request: AttachmentRequest) {
  const { name, serverName, uri, mimeType } = request.kind === 'content' ? request.part : request;
  return { name, serverName, uri, isPicture: mimeType?.startsWith('image/') ?? false };
}
