import type { AgentRun } from '@shared/contracts/agent-types.ts';
import { Bot } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { useAgent } from '../../../stores/agent.ts';
import { useApp } from '../../../stores/app.ts';
import { useChat } from '../../../stores/chat.ts';
import { toastError } from '../../../stores/toasts.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Composer } from '../../chat/composer/Composer.tsx';
import { ResumeButton } from '../../chat/message/turn-actions.tsx';
import { useNarrow } from '../../chat/sidebar/SidebarFrame.tsx';
import { ConversationContent } from '../../chat/transcript/ConversationContent.tsx';
import type { MessageListHandle } from '../../chat/transcript/MessageList.tsx';
import { ChangesPanel } from './changes/ChangesPanel.tsx';
import { CHANGES_TOGGLE_ID, useChangesPanel } from './panel.ts';
import { RunHeader } from './RunHeader.tsx';
import { TodoStrip } from './TodoStrip.tsx';

/** A run of the agent: its timeline, what it has changed, and the way to speak to it, stop it and let it go on. */
export default function RunView({ conversationId, run }: { conversationId: string; run: AgentRun }) {
  const list = useRef<MessageListHandle>(null);
  const narrow = useNarrow();
  const wideOpen = useChangesPanel((state) => state.open);
  const setWideOpen = useChangesPanel((state) => state.setOpen);
  const [sheetOpen, setSheetOpen] = useState(false);
  const panelOpen = narrow ? sheetOpen : wideOpen;
  const setPanel = narrow ? setSheetOpen : setWideOpen;

  useEffect(() => {
    setSheetOpen(false);
    useAgent
      .getState()
      .loadChanges(conversationId)
      .catch((thrown) => toastError(toApiError(thrown)));
  }, [conversationId]);

  return (
    <div data-testid="run-view" className="flex h-full min-h-0">
      <div className="flex min-w-0 grow flex-col">
        <RunHeader
          conversationId={conversationId}
          run={run}
          panelOpen={panelOpen}
          onTogglePanel={() => setPanel(!panelOpen)}
        />
        <div className="min-h-0 grow">
          <ConversationContent ref={list} empty={<NotBegun goal={run.goal} />} />
        </div>
        <TodoStrip key={conversationId} />
        <RunComposer conversationId={conversationId} escapeCloses={panelOpen} onSent={() => list.current?.toLatest()} />
      </div>
      {panelOpen && (
        <ChangesPanel
          conversationId={conversationId}
          sheet={narrow}
          onClose={() => {
            const hasFocus = document.activeElement?.closest('[data-testid="changes-panel"]');
            setPanel(false);
            if (hasFocus) document.getElementById(CHANGES_TOGGLE_ID)?.focus();
          }}
        />
      )}
    </div>
  );
}

/** A run whose goal never reached the model, as when the app ended at that moment. */
function NotBegun({ goal }: { goal: string }) {
  return <EmptyState icon={Bot} title={goal.slice(0, 200)} actions={<ResumeButton />} />;
}

function RunComposer({
  conversationId,
  escapeCloses,
  onSent,
}: {
  conversationId: string;
  /** Esc closes the changes first. */
  escapeCloses: boolean;
  onSent: () => void;
}) {
  const { t } = useTranslation('agent');
  const rows = useChat((state) => state.rows.length);
  /** How many rows there were when something was said: with the next one the model has read it. */
  const [saidAt, setSaidAt] = useState<number | null>(null);

  const say = async (text: string): Promise<boolean> => {
    try {
      await useAgent.getState().say(conversationId, text);
    } catch (thrown) {
      if (toApiError(thrown).code === 'not-running') return false;
      throw thrown;
    }
    setSaidAt(useChat.getState().rows.length);
    useApp.getState().announce(t('composer.said'));
    return true;
  };

  return (
    <Composer
      onSent={onSent}
      run={{
        say,
        words: {
          label: t('composer.label'),
          placeholder: t('composer.placeholder'),
          placeholderRunning: t('composer.placeholderRunning'),
          say: t('composer.say'),
          hintRunning:
            saidAt === rows
              ? t('composer.said')
              : t(escapeCloses ? 'composer.hintRunningPanel' : 'composer.hintRunning'),
        },
      }}
    />
  );
}
