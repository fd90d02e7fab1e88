import { useTranslation } from 'react-i18next';
import { useConversations } from '../../stores/conversations.ts';
import { ModelPicker } from './model-picker/ModelPicker.tsx';
import { SidebarButtons } from './sidebar/SidebarButtons.tsx';

/** Title of the conversation and the model it talks to; the way back to a hidden sidebar. */
export function ChatHeader() {
  const { t } = useTranslation('chat');
  const title = useConversations(
    (state) => state.conversations?.find(({ id }) => id === state.selectedId)?.title ?? null,
  );

  return (
    <header className="flex h-13 shrink-0 items-center gap-2 px-4">
      <SidebarButtons />
      <h1 dir="auto" title={title ?? undefined} className="min-w-0 grow truncate text-left font-medium text-base">
        {title ?? t('header.new')}
      </h1>
      <ModelPicker />
    </header>
  );
}
