import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { ToolPart } from '@shared/contracts/message-types.ts';
import { FileText, Link2, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { SafeLink } from '../markdown/SafeLink.tsx';
import { formatBytes } from './duration.ts';
import { FoldedText } from './FoldedText.tsx';
import { base64Bytes, mediaUrl } from './media.ts';
import { textsCarry } from './texts-carry.ts';
import { WholeResult } from './WholeResult.tsx';

type Result = NonNullable<ToolPart['result']>;
type Block = Result['content'][number];

/** What came of a call: every block of the result in its kind, or why there is none. Text is never taken as HTML. */
export function ToolResult({ result, error }: { result?: Result; error?: ErrorInfo }) {
  const { t } = useTranslation('chat');
  const structured = useMemo(() => structuredText(result), [result]);
  return (
    <div data-testid="tool-result" className="flex min-w-0 flex-col gap-1.5">
      <h4 className="font-medium text-muted text-xs">{t(result?.isError ? 'tool.resultError' : 'tool.result')}</h4>
      {error && <ErrorNote error={error} openDetails />}
      {result?.warnings?.map((warning) => (
        <p key={warning} data-testid="result-warning" className="flex gap-2 text-sm text-warning">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={warning} />
          </span>
        </p>
      ))}
      {result?.content.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a result is whole when it comes; its blocks never move
        <BlockView key={index} block={block} isError={result.isError} />
      ))}
      {structured !== null && <FoldedText text={structured} isError={result?.isError ?? false} />}
      {result?.whole && <WholeResult whole={result.whole} />}
      {result && result.content.length === 0 && structured === null && (
        <p className="text-muted text-sm">{t('tool.noOutput')}</p>
      )}
    </div>
  );
}

function BlockView({ block, isError }: { block: Block; isError: boolean }) {
  const { t } = useTranslation('chat');
  switch (block.type) {
    case 'text':
      return <FoldedText text={block.text} isError={isError} />;
    case 'image': {
      const url = mediaUrl('image', block);
      if (!url) return <NotShown kind={block.mimeType} data={block.data} />;
      return (
        <img
          src={url}
          alt={t('tool.picture')}
          className="max-h-96 w-fit max-w-full rounded-md border border-border object-contain"
        />
      );
    }
    case 'audio': {
      const url = mediaUrl('audio', block);
      if (!url) return <NotShown kind={block.mimeType} data={block.data} />;
      // biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions
      return <audio controls src={url} aria-label={t('tool.sound')} className="w-full max-w-110" />;
    }
    case 'resource':
      return <Resource resource={block.resource} isError={isError} />;
    case 'resource_link':
      return (
        <div className="flex min-h-7 items-center gap-2 text-sm">
          <Link2 size={16} aria-hidden className="shrink-0 text-muted" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {block.name && (
              <span className="pr-2 font-medium">
                <VisibleText text={block.name} />
              </span>
            )}
            <SafeLink href={block.uri}>
              <VisibleText text={block.uri} />
            </SafeLink>
            {block.description && (
              <span className="block text-muted">
                <VisibleText text={block.description} />
              </span>
            )}
          </span>
        </div>
      );
    case 'unknown':
      return <FoldedText text={JSON.stringify(block.value, null, 2) ?? block.originalType} isError={isError} />;
  }
}

function Resource({
  resource,
  isError,
}: {
  resource: Extract<Block, { type: 'resource' }>['resource'];
  isError: boolean;
}) {
  const { t } = useTranslation('chat');
  const { uri, mimeType, text, blob } = resource;
  const picture = blob !== undefined && mimeType ? mediaUrl('image', { data: blob, mimeType }) : null;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="flex items-center gap-2 text-muted text-sm [overflow-wrap:anywhere]">
        <FileText size={16} aria-hidden className="shrink-0" />
        <VisibleText text={uri} />
      </p>
      {text !== undefined && <FoldedText text={text} isError={isError} />}
      {picture && <img src={picture} alt={t('tool.picture')} className="max-h-96 w-fit max-w-full rounded-md" />}
      {blob !== undefined && !picture && <NotShown kind={mimeType ?? t('tool.binary')} data={blob} />}
    </div>
  );
}

function NotShown({ kind, data }: { kind: string; data: string }) {
  const { t } = useTranslation('chat');
  return <p className="text-muted text-sm">{t('tool.notShown', { kind, size: formatBytes(base64Bytes(data)) })}</p>;
}

/** The structured part as text, unless a text block says the same already. */
function structuredText(result: Result | undefined): string | null {
  if (result?.structuredContent === undefined || result.structuredContent === null) return null;
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (textsCarry(texts, result.structuredContent)) return null;
  return JSON.stringify(result.structuredContent, null, 2);
}
