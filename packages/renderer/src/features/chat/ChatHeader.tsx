import { PanelLeftOpen, SquarePen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useConversations } from '../../stores/conversations.ts';
import { useSettings } from '../../stores/settings.ts';
import { toggleSidebar } from '../../stores/sidebar.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { focusComposer } from './composer/focus.ts';
import { ModelPicker } from './model-picker/ModelPicker.tsx';
import { useNarrow } from './sidebar/SidebarFrame.tsx';

/** Title of the conversation and the model it talks to; the way back to a hidden sidebar. */
export function ChatHeader() {
  const { t } = useTranslation(['chat', 'shell']);
  const title = useConversations(
    (state) => state.conversations?.find(({ id }) => id === state.selectedId)?.title ?? null,
  );
  const select = useConversations((state) => state.select);
  const sidebarOpen = useSettings((state) => state.settings?.sidebarOpen ?? true);
  const hidden = useNarrow() || !sidebarOpen;

  return (
    <header className="flex h-13 shrink-0 items-center gap-2 px-4">
      {hidden && (
        <div className="-ml-1.5 flex">
          <IconButton
            icon={PanelLeftOpen}
            label={t('shell:sidebar.show')}
            onClick={toggleSidebar}
            tooltipSide="bottom"
          />
          <IconButton
            icon={SquarePen}
            label={t('list.new')}
            tooltipSide="bottom"
            onClick={() => {
              select(null);
              focusComposer();
            }}
          />
        </div>
      )}
      <h1 dir="auto" className="min-w-0 grow truncate font-medium text-base">
        {title ?? t('header.new')}
      </h1>
      <ModelPicker />
    </header>
  );
}
