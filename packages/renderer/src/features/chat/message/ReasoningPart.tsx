import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../stores/settings.ts';
import { cx } from '../../../ui/cx.ts';
import { Disclosure } from '../../../ui/Disclosure.tsx';

/** How the model came to its answer, folded; gone where the person doesn't want it. */
export function ReasoningPart({ text, growing }: { text: string; growing: boolean }) {
  const { t } = useTranslation('chat');
  const shown = useSettings((state) => state.settings?.showReasoning ?? true);
  if (!shown || (text === '' && !growing)) return null;
  return (
    <Disclosure
      label={<span className={cx(growing && 'breathe')}>{t(growing ? 'reasoning.growing' : 'reasoning.done')}</span>}
    >
      <div
        dir="auto"
        className="max-w-[72ch] border-border border-l-2 py-1 pl-4 text-muted text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </div>
    </Disclosure>
  );
}
