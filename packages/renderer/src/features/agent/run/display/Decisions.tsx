import type { ToolDecision } from '@shared/contracts/message-types.ts';
import { Check, CircleHelp, type LucideIcon, ShieldX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../../../ui/cx.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { reasonForPerson } from '../../../chat/tools/decisions.ts';

const marks: Record<ToolDecision['outcome'], { icon: LucideIcon; look: string }> = {
  allow: { icon: Check, look: 'text-success' },
  ask: { icon: CircleHelp, look: 'text-warning' },
  deny: { icon: ShieldX, look: 'text-danger' },
};

/** What each layer of safety said about a call, in the order in which they were asked. */
export default function Decisions({ decisions }: { decisions: readonly ToolDecision[] }) {
  const { t } = useTranslation('agent');
  return (
    <div className="flex flex-col gap-1.5">
      <h4 className="font-medium text-muted text-xs">{t('safety.title')}</h4>
      <ol data-testid="decisions" className="flex flex-col gap-1 text-sm">
        {decisions.map(({ layer, outcome, reason }, index) => {
          const { icon: Icon, look } = marks[outcome];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: decisions are only appended
            <li key={index} className="flex items-start gap-2">
              <Icon size={16} aria-hidden className={cx('mt-0.5 shrink-0', look)} />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{t(`safety.layer.${layer}`)}</span> {t(`safety.outcome.${outcome}`)}
                {reason && (
                  <span className="text-muted">
                    {' · '}
                    <VisibleText text={reasonForPerson(reason)} />
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
