import type { ComponentProps, MouseEvent } from 'react';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { openableUrl } from './links.ts';

/** A link that opens outside the app and shows where it goes; only its text where it may go nowhere. */
export function SafeLink({ href, children }: ComponentProps<'a'>) {
  const url = openableUrl(href);
  if (!url) return <span>{children}</span>;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    unwrap(api().app.openExternal({ url })).catch((thrown) => toastError(toApiError(thrown)));
  };
  return (
    <a href={url} title={url} rel="noreferrer noopener" target="_blank" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
