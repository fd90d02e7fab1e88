import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../stores/app.ts';
import { type ModelState, useProviders } from '../../../stores/providers.ts';
import { Button } from '../../../ui/Button.tsx';
import { useModelProblem } from '../model.ts';
import { openModelPicker } from '../model-picker/open.ts';

/** Why nothing can be sent, and the way to change that. Nothing while the model is ready. */
export function ModelProblem({ state }: { state: ModelState }) {
  const { t } = useTranslation(['chat', 'common']);
  const problem = useModelProblem(state);
  const go = useApp((app) => app.go);
  const loaded = useProviders((providers) => providers.providers !== null);
  if (state.kind === 'ready' || !loaded) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-warning-soft px-4 py-2 text-sm"
    >
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-warning" />
      <p className="min-w-48 flex-1">{problem}</p>
      {state.kind === 'gone' ? (
        <Button size="sm" onClick={openModelPicker}>
          {t('model.none')}
        </Button>
      ) : (
        <Button size="sm" onClick={() => go({ name: 'settings', section: 'providers' })}>
          {t('common:openSettings')}
        </Button>
      )}
    </div>
  );
}
