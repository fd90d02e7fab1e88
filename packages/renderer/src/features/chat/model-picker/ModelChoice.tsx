import type { ModelRef } from '@shared/contracts/message-types.ts';
import { ChevronsUpDown, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ModelState, modelName } from '../../../stores/providers.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Popover } from '../../../ui/Popover.tsx';
import { MODEL_PICKER_ID } from './open.ts';

const ModelList = lazy(() => import('./ModelList.tsx'));

/** Shows a model and opens the list of all. `none`: what to call it that there is none; default: that one is to be chosen. */
export function ModelChoice({
  model: { ref, state },
  onChoose,
  none,
  className,
}: {
  model: { ref: ModelRef | null; state: ModelState };
  onChoose: (ref: ModelRef) => void;
  none?: string;
  className?: string;
}) {
  const { t } = useTranslation(['chat', 'common']);
  const [open, setOpen] = useState(false);
  const named = ref === null ? undefined : 'model' in state ? modelName(state.provider, state.model) : ref.modelId;
  const isDemo = 'provider' in state && state.provider.format === 'demo';
  const missing = ref === null && none !== undefined;

  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('model.list')}
      trigger={
        <button
          type="button"
          id={MODEL_PICKER_ID}
          data-testid="model-picker"
          aria-label={t('model.pick', { model: named ?? none ?? t('model.none') })}
          className={cx(
            'flex h-9 shrink-0 items-center gap-2 rounded-md px-3 text-sm transition-colors hover:bg-surface-3 data-[state=open]:bg-surface-3',
            className,
          )}
        >
          {state.kind !== 'ready' && !missing && (
            <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />
          )}
          <span className="truncate font-medium">{named ?? none ?? t('model.none')}</span>
          {isDemo && <Badge tone="warning">{t('model.notAi')}</Badge>}
          <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-muted" />
        </button>
      }
    >
      <Suspense fallback={<div className="h-40 p-4 text-muted text-sm">{t('common:loading')}</div>}>
        <ModelList current={ref} onChoose={onChoose} onDone={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}
