import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { type RequestBodyProps, Said } from './RequestView.tsx';
import { SafeButton } from './SafeButton.tsx';

/** An address that a server asks the person to visit. Nothing is loaded from it before the person opens it, outside. */
export function UrlRequest({ question, answering }: RequestBodyProps<'url'>) {
  const { t } = useTranslation('requests');
  const insecure = question.url.toLowerCase().startsWith('http:');
  return (
    <>
      <Said text={question.message} />
      <div className="flex min-w-0 flex-col gap-1 rounded-lg bg-code px-4 py-3">
        <p data-testid="request-host" className="font-semibold text-xl [overflow-wrap:anywhere]">
          <VisibleText text={question.host} />
        </p>
        <p
          data-testid="request-url"
          className="max-h-40 overflow-y-auto font-mono text-muted text-xs [overflow-wrap:anywhere]"
        >
          <VisibleText text={question.url} />
        </p>
        {insecure && <p className="text-sm text-warning">{t('url.insecure')}</p>}
      </div>
      {question.opened ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="flex min-w-60 flex-1 items-center gap-2 text-muted text-sm">
            <Spinner size={16} />
            {t('url.opened')}
          </p>
          <Button size="sm" disabled={answering.sending !== null} onClick={() => answering.answer({ action: 'open' })}>
            {t('url.again')}
          </Button>
          <Button size="sm" disabled={answering.sending !== null} onClick={() => answering.answer({ action: 'done' })}>
            {t('url.done')}
          </Button>
        </div>
      ) : (
        <>
          <p className="text-muted text-xs">{t('url.warning')}</p>
          <div className="flex flex-wrap gap-2">
            <SafeButton answering={answering} />
            <Button
              variant="primary"
              icon={ExternalLink}
              busy={answering.sending === 'open'}
              disabled={answering.sending !== null}
              onClick={() => answering.answer({ action: 'open' })}
            >
              {t('url.open')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
