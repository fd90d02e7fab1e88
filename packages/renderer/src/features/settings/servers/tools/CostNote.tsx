import type { ToolCosts } from '@shared/contracts/mcp-tools.contract.ts';
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
  const { toolCount, tokens, maxTools } = costs;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p data-testid="tool-costs" className="text-muted">
        {t('cost.total', { count: toolCount, tokens: formatTokens(tokens) })}{' '}
        {model === undefined ? t('cost.howNoModel') : t('cost.how', { model })}
      </p>
      {maxTools !== null && toolCount > maxTools && (
        <p data-testid="too-many-tools" className="flex gap-2 rounded-lg bg-warning-soft px-3 py-2">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
          {t('cost.tooMany', { model: model ?? 'OpenAI', max: maxTools, rest: toolCount - maxTools, count: toolCount })}
        </p>
      )}
    </div>
  );
}
