import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { useEscape } from './useEscape.ts';

/** The first page of a section: its title, what it is for, and what can be added to it. */
export function SectionPage({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <header className="flex flex-col gap-1 pb-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
        {lead && <p className="text-muted text-sm">{lead}</p>}
      </header>
      {children}
    </>
  );
}

/**
 * A page within a section. Esc and the link above the title go back; with `dirty` they ask first. The title takes the focus
 * unless something on the page has taken it.
 */
export function SubPage({
  title,
  back,
  onBack,
  dirty = false,
  actions,
  children,
}: {
  title: string;
  /** Where the link leads, in words. */
  back: string;
  onBack: () => void;
  dirty?: boolean;
  actions?: ReactNode;
  children: (leave: () => void) => ReactNode;
}) {
  const { t } = useTranslation('settings');
  const [asking, setAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const leave = () => (dirty ? setAsking(true) : onBack());
  useEscape(leave);
  useEffect(() => {
    const page = heading.current?.closest('main');
    page?.scrollTo(0, 0);
    if (!page?.contains(document.activeElement)) heading.current?.focus();
  }, []);

  return (
    <>
      <Button variant="ghost" size="sm" icon={ArrowLeft} onClick={leave} className="-ml-2.5 mb-3 text-muted">
        {back}
      </Button>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-6">
        <h1
          ref={heading}
          tabIndex={-1}
          dir="auto"
          className="min-w-0 font-semibold text-xl tracking-tight outline-none [overflow-wrap:anywhere]"
        >
          {title}
        </h1>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children(leave)}
      <ConfirmDialog
        open={asking}
        title={t('discard.title')}
        description={t('discard.text')}
        confirmLabel={t('discard.confirm')}
        cancelLabel={t('discard.cancel')}
        onConfirm={onBack}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
