import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A place that has nothing to show yet: what it is for, and the next step as buttons. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-110 flex-col items-center gap-3 px-6 py-10 text-center">
      {Icon && <Icon size={20} aria-hidden className="text-muted" />}
      <h2 className="font-semibold text-lg">{title}</h2>
      {children && <div className="text-muted text-sm">{children}</div>}
      {actions && <div className="flex flex-wrap justify-center gap-2 pt-2">{actions}</div>}
    </div>
  );
}
