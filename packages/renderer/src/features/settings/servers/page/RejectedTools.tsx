import type { RejectedTool } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';

/** Tools that a server offers and that can't be used, each with the reason. */
export function RejectedTools({ rejected }: { rejected: readonly RejectedTool[] }) {
  const { t } = useTranslation('servers');
  if (rejected.length === 0) return null;
  return (
    <Disclosure label={t('page.rejected', { count: rejected.length })}>
      <ul className="flex flex-col gap-1.5 pt-1.5 text-sm">
        {rejected.map(({ name, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of bad definitions may repeat, and the list never changes
          <li key={index} className="[overflow-wrap:anywhere]">
            <code className="font-mono">
              <VisibleText text={name} />
            </code>
            <span className="text-muted"> · {reason}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}
