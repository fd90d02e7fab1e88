import type { Settings } from '@shared/contracts/settings.contract.ts';
import { useEffect } from 'react';
import { useSettings } from '../stores/settings.ts';

const systemDark = () => matchMedia('(prefers-color-scheme: dark)');

/** Puts the chosen theme on <html>, following the system where that was chosen. */
export function useTheme(): void {
  const theme = useSettings((state) => state.settings?.theme ?? 'system');
  useEffect(() => {
    apply(theme);
    if (theme !== 'system') return;
    const query = systemDark();
    const follow = () => apply('system');
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [theme]);
}

function apply(theme: Settings['theme']): void {
  document.documentElement.dataset.theme = theme === 'system' ? (systemDark().matches ? 'dark' : 'light') : theme;
}
