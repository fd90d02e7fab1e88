import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from './cx.ts';

/** A quiet line that opens to more. What is inside exists only while it is open. */
export function Disclosure({
  label,
  defaultOpen = false,
  className,
  children,
}: {
  label: ReactNode;
  defaultOpen?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(defaultOpen);
  return (
    <div className={className}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 inline-flex min-h-7 items-center gap-1.5 rounded-sm px-1.5 text-left text-muted text-sm transition-colors hover:text-text"
      >
        <ChevronRight size={16} aria-hidden className={cx('shrink-0 transition-transform', open && 'rotate-90')} />
        {label}
      </button>
      {open && children}
    </div>
  );
}
