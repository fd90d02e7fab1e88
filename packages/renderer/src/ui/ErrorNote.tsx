import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Disclosure } from './Disclosure.tsx';

/** What went wrong, what to do about it, details for those who want them, and the way on as buttons. */
export function ErrorNote({
  error,
  actions,
  openDetails,
}: {
  error: { message: string; hint?: string; details?: string };
  actions?: ReactNode;
  /** Shows the details unfolded, where the person has opened something to see them. */
  openDetails?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex gap-3 rounded-lg bg-danger-soft px-4 py-3 text-sm">
      <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-danger" />
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <p className="font-medium [overflow-wrap:anywhere]">{error.message}</p>
        {error.hint && <p className="[overflow-wrap:anywhere]">{error.hint}</p>}
        {error.details && (
          <Disclosure label={t('error.details')} defaultOpen={openDetails}>
            <pre className="max-h-60 overflow-auto pt-1 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
              {error.details}
            </pre>
          </Disclosure>
        )}
        {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
      </div>
    </div>
  );
}
