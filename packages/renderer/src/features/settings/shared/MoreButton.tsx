import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';

/** Below a list that is not shown whole. */
export function MoreButton({ rest, onMore }: { rest: number; onMore: () => void }) {
  const { t } = useTranslation('settings');
  if (rest === 0) return null;
  return (
    <Button size="sm" variant="ghost" onClick={onMore} className="mt-2">
      {t('more', { rest })}
    </Button>
  );
}
