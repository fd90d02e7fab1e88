import { ImageIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { pictureUrl } from './links.ts';

/**
 * A picture in an answer. One that lies elsewhere is never fetched by the app, since its address alone can carry words of the
 * conversation away: it is a button that names the address and opens it in the browser.
 */
export function SafeImage({ src, alt }: ComponentProps<'img'>) {
  const { t } = useTranslation('chat');
  const picture = pictureUrl(typeof src === 'string' ? src : undefined);
  const name = alt || t('picture.unnamed');
  if (!picture) return <span className="text-muted">{t('picture.refused', { name })}</span>;
  if (!picture.remote) return <img src={picture.url} alt={alt ?? ''} className="max-h-96 max-w-full rounded-md" />;
  return (
    <button
      type="button"
      title={picture.url}
      onClick={() =>
        void unwrap(api().app.openExternal({ url: picture.url })).catch((thrown) => toastError(toApiError(thrown)))
      }
      className="my-1 inline-flex min-h-7 max-w-full items-center gap-2 rounded-sm border border-border bg-surface-2 px-2.5 py-1 text-left text-sm hover:bg-surface-3"
    >
      <ImageIcon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="truncate">{t('picture.open', { name, host: URL.parse(picture.url)?.host })}</span>
    </button>
  );
}
