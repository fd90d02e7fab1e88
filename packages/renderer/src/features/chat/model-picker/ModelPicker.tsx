import { ChevronsUpDown, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { modelName } from '../../../stores/providers.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useActiveModel } from '../model.ts';
import { MODEL_PICKER_ID } from './open.ts';

const ModelList = lazy(() => import('./ModelList.tsx'));

/** Shows the model in use and opens the list of all. */
export function ModelPicker() {
  const { t } = useTranslation(['chat', 'common']);
  const [open, setOpen] = useState(false);
  const { ref, state } = useActiveModel();
  const named = 'model' in state ? modelName(state.provider, state.model) : ref?.modelId;
  const isDemo = 'provider' in state && state.provider.format === 'demo';

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
          aria-label={t('model.pick', { model: named ?? t('model.none') })}
          className="flex h-9 max-w-[60%] shrink-0 items-center gap-2 rounded-md px-3 text-sm transition-colors hover:bg-surface-3 data-[state=open]:bg-surface-3"
        >
          {state.kind !== 'ready' && <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />}
          <span className="truncate font-medium">{named ?? t('model.none')}</span>
          {isDemo && <Badge tone="warning">{t('model.notAi')}</Badge>}
          <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-muted" />
        </button>
      }
    >
      <Suspense fallback={<div className="h-40 p-4 text-muted text-sm">{t('common:loading')}</div>}>
        <ModelList current={ref} onDone={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}
