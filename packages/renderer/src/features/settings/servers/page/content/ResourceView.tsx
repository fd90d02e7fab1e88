import { Radio } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../../../ui/Badge.tsx';
import { CopyButton } from '../../../../../ui/CopyButton.tsx';
import { ErrorNote } from '../../../../../ui/ErrorNote.tsx';
import { Skeleton } from '../../../../../ui/Skeleton.tsx';
import { VisibleText } from '../../../../../ui/VisibleText.tsx';
import { AttachmentContent } from '../../../../content/AttachmentContent.tsx';
import { useResource } from './useResource.ts';

/** A resource's address and content, with a mark while its server tells about changes. */
export function ResourceView({ serverId, uri }: { serverId: string; uri: string }) {
  const { t } = useTranslation('content');
  const { parts, error, following } = useResource(serverId, uri);
  return (
    <div data-testid="resource-view" className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2">
        <code className="min-w-0 font-mono text-muted text-xs [overflow-wrap:anywhere]">
          <VisibleText text={uri} />
        </code>
        <CopyButton text={() => uri} label={t('copyAddress')} />
        {following && (
          <span title={t('liveHint')}>
            <Badge tone="success" icon={Radio}>
              {t('live')}
            </Badge>
          </span>
        )}
      </div>
      {error && <ErrorNote error={error} />}
      {!parts && !error && <Skeleton className="h-16 w-full" />}
      {parts?.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one answer, which come and go together
        <AttachmentContent key={index} part={part} />
      ))}
    </div>
  );
}
