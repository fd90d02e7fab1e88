import type { ServerCost, ToolCosts } from '@shared/contracts/mcp-tools.contract.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FormatOfModel } from './useToolFormat.ts';

export const formatTokens = (tokens: number): string => {
  // Three figures are more than an estimate knows.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 1);
  return (Math.round(tokens / step) * step).toLocaleString('en');
};

/** What all offered tools cost the chosen model, how that is known, and whether they are too many for it. */
export function CostNote({ costs, model }: { costs: ToolCosts } & Pick<FormatOfModel, 'model'>) {
  const { t } = useTranslation('tools');
  const { toolCount, tokens } = costs;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p data-testid="tool-costs" className="text-muted">
        {t('cost.total', { count: toolCount, tokens: formatTokens(tokens) })}{' '}
        {model === undefined ? t('cost.howNoModel') : t('cost.how', { model })}
      </p>
      <TooManyTools costs={costs} model={model} />
    </div>
  );
}

/** Says so where models are offered more tools than the chosen one takes; they come from all servers together. */
export function TooManyTools({ costs, model }: { costs: ToolCosts } & Pick<FormatOfModel, 'model'>) {
  const { t } = useTranslation('tools');
  const { toolCount, maxTools } = costs;
  if (maxTools === null || toolCount <= maxTools) return null;
  return (
    <p data-testid="too-many-tools" className="flex gap-2 rounded-lg bg-warning-soft px-3 py-2 text-sm">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
      {t('cost.tooMany', { model: model ?? 'OpenAI', max: maxTools, rest: toolCount - maxTools, count: toolCount })}
    </p>
  );
}

/** How many tools of a server can't be used, or only in another form. Nothing where all is well. */
export function ToolProblems({ cost: { changedCount, rejectedCount } }: { cost: ServerCost }) {
  const { t } = useTranslation('tools');
  const problems = [
    ...(rejectedCount > 0 ? [t('problems.rejected', { count: rejectedCount })] : []),
    ...(changedCount > 0 ? [t('problems.changed', { count: changedCount })] : []),
  ];
  if (problems.length === 0) return null;
  return (
    <p data-testid="tool-problems" className="flex gap-1.5 text-muted text-xs">
      <TriangleAlert size={14} aria-hidden className="mt-px shrink-0 text-warning" />
      {problems.join(' ')}
    </p>
  );
}
