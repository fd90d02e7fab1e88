import { ChevronRight, ListChecks } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { cx } from '../../../ui/cx.ts';
import { visibleString } from '../../../ui/visible-text.ts';
import { TodoList } from './display/TodoList.tsx';
import { latestTodo, todoProgress } from './facts.ts';

/** Above the composer: how far the run is with what it means to do, and what it is at. Opens to the list. */
export function TodoStrip() {
  const { t } = useTranslation('agent');
  const items = useChat(latestTodo);
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!items || items.length === 0) return null;
  const { done, current } = todoProgress(items);
  return (
    <div className="column beside-scrollbar pb-2">
      <section aria-label={t('todo.title')} data-testid="todo-strip" className="rounded-lg bg-surface-0">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 text-left text-sm transition-colors hover:bg-surface-3/60"
        >
          <ListChecks size={16} aria-hidden className="shrink-0 text-muted" />
          <span className="tabular shrink-0 text-muted">{t('todo.count', { done, total: items.length })}</span>
          <span dir="auto" className="min-w-0 grow truncate">
            {current ? visibleString(current.text) : t('todo.allDone')}
          </span>
          <ChevronRight
            size={16}
            aria-hidden
            className={cx('shrink-0 text-muted transition-transform', open && 'rotate-90')}
          />
        </button>
        {open && (
          <div id={id} className="relative max-h-52 overflow-y-auto px-3 pt-1 pb-3">
            <TodoList items={items} />
          </div>
        )}
      </section>
    </div>
  );
}
