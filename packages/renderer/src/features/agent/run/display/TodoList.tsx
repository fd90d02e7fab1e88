import type { TodoItem } from '@shared/contracts/agent-types.ts';
import { Circle, CircleCheck, CircleDot, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../../../ui/cx.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';

const marks: Record<TodoItem['status'], { icon: LucideIcon; look: string }> = {
  pending: { icon: Circle, look: 'text-muted' },
  'in-progress': { icon: CircleDot, look: 'text-accent' },
  done: { icon: CircleCheck, look: 'text-success' },
};

/** What the agent means to do, with what it has done of it. */
export function TodoList({ items }: { items: readonly TodoItem[] }) {
  const { t } = useTranslation('agent');
  if (items.length === 0) return <p className="text-muted text-sm">{t('todo.empty')}</p>;
  return (
    <ul aria-label={t('todo.title')} data-testid="todo-list" className="flex flex-col gap-1 text-sm">
      {items.map(({ text, status }, index) => {
        const { icon: Icon, look } = marks[status];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list comes anew as a whole; two entries may say the same
          <li key={index} data-status={status} className="flex items-start gap-2.5">
            <Icon size={16} aria-hidden className={cx('mt-0.5 shrink-0', look)} />
            <span className="sr-only">{t(`todo.status.${status}`)}:</span>
            <span
              className={cx(
                'min-w-0 [overflow-wrap:anywhere]',
                status === 'done' && 'text-muted',
                status === 'in-progress' && 'font-medium',
              )}
            >
              <VisibleText text={text} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
