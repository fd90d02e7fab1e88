import { Bot, PanelLeftOpen, SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../../stores/settings.ts';
import { toggleSidebar } from '../../../stores/sidebar.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { startNewChat, startNewRun } from './new.ts';
import { useNarrow } from './SidebarFrame.tsx';

/** At the beginning of a header while the sidebar is hidden: the way back to it, and what it begins. */
export function SidebarButtons() {
  const { t } = useTranslation(['chat', 'shell', 'agent']);
  const sidebarOpen = useSettings((state) => state.settings?.sidebarOpen ?? true);
  const hidden = useNarrow() || !sidebarOpen;
  if (!hidden) return null;
  return (
    <div className="-ml-1.5 flex">
      <IconButton icon={PanelLeftOpen} label={t('shell:sidebar.show')} onClick={toggleSidebar} tooltipSide="bottom" />
      <IconButton icon={SquarePen} label={t('list.new')} tooltipSide="bottom" onClick={startNewChat} />
      <IconButton icon={Bot} label={t('agent:new')} tooltipSide="bottom" onClick={startNewRun} />
    </div>
  );
}
