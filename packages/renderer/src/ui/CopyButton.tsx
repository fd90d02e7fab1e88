import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './IconButton.tsx';
import { useCopy } from './useCopy.ts';

/** Copies what `text` gives at the time of the press. */
export function CopyButton({ text, label, className }: { text: () => string; label: string; className?: string }) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? t('copied') : label}
      onClick={() => copy(text())}
      className={className}
    />
  );
}
