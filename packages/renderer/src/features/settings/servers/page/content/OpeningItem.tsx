import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../../../ui/cx.ts';
import { VisibleText } from '../../../../../ui/VisibleText.tsx';

/** A line of a list that opens to more; what is inside exists only while it is open. */
export function OpeningItem({
  name,
  title,
  detail,
  open,
  onToggle,
  children,
}: {
  name: string;
  title?: string;
  detail?: string;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex w-full items-start gap-2.5 px-4 py-2.5 text-left text-sm outline-offset-[-2px] transition-colors hover:bg-surface-3/60"
      >
        <ChevronRight
          size={16}
          aria-hidden
          className={cx('mt-0.5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium [overflow-wrap:anywhere]">
              <VisibleText text={name} />
            </span>
            {title && title !== name && <span className="text-muted [overflow-wrap:anywhere]">{title}</span>}
          </span>
          {detail && (
            <span className={cx('block text-muted', open ? '[overflow-wrap:anywhere]' : 'truncate')}>
              <VisibleText text={detail} />
            </span>
          )}
        </span>
      </button>
      {open && <div className="flex flex-col gap-3 pr-4 pb-4 pl-10.5 text-sm">{children}</div>}
    </li>
  );
}
