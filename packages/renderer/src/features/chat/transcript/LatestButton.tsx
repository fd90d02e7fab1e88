import { ArrowDown, ShieldQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { focusWhenShown, nextApproval } from '../tools/approval-focus.ts';

/** Shown while the reader is away from the end: says whether something waits there for an answer, and goes to it. */
export function LatestButton({ toLatest }: { toLatest: () => void }) {
  const { t } = useTranslation(['chat', 'agent']);
  const conversationId = useChat((state) => state.conversationId) ?? '';
  const calls = useConversations((state) => state.waiting[conversationId] ?? 0);
  const waits = useConversations((state) => state.activity[conversationId] === 'approval');

  const go = () => {
    toLatest();
    if (!waits) return;
    // An approval that only comes into being by scrolling takes the focus itself.
    requestAnimationFrame(() => {
      const approval = nextApproval(null);
      if (approval) focusWhenShown(approval);
    });
  };

  return (
    <Button
      icon={waits ? ShieldQuestion : ArrowDown}
      size="sm"
      data-testid="to-latest"
      onClick={go}
      className={cx('appear pointer-events-auto shadow-float', waits && 'border-warning text-warning')}
    >
      {waits ? (calls > 0 ? t('agent:waits', { count: calls }) : t('list.activity.approval')) : t('list.latest')}
    </Button>
  );
}
