import { useTranslation } from 'react-i18next';

/** Stands where the first words of an answer will appear. */
export function Thinking() {
  const { t } = useTranslation('chat');
  return (
    <div role="status" data-testid="thinking" className="flex h-6 items-center">
      <span aria-hidden className="breathe size-2.5 rounded-full bg-accent" />
      <span className="sr-only">{t('message.thinking')}</span>
    </div>
  );
}
