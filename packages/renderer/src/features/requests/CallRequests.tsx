import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { callKey, useServerRequests } from '../../stores/server-requests.ts';
import { visibleString } from '../../ui/visible-text.ts';
import { focusComposer } from '../chat/composer/focus.ts';
import { RequestView } from './RequestView.tsx';

/** Within the card of a running call: what its server asks for it, one at a time. */
export function CallRequests({ conversationId, callId }: { conversationId: string; callId: string }) {
  const { t } = useTranslation('requests');
  const id = useId();
  const call = callKey(conversationId, callId);
  const showCall = useServerRequests((state) => state.showCall);
  const first = useServerRequests((state) => state.requests.find((request) => request.call === call));
  const count = useServerRequests((state) => state.requests.filter((request) => request.call === call).length);
  const asking = first !== undefined;
  useEffect(() => showCall(call), [showCall, call]);
  useEffect(() => {
    if (!asking) return;
    // Whoever answered by keyboard goes on where they would type.
    return () => {
      if (document.activeElement === null || document.activeElement === document.body) focusComposer();
    };
  }, [asking]);
  if (!first) return null;
  return (
    <section
      aria-labelledby={id}
      className="mt-1 flex min-w-0 flex-col gap-3 rounded-lg border border-warning bg-surface-2 p-4"
    >
      <div className="flex items-start gap-2.5">
        <MessageCircleQuestion size={20} aria-hidden className="mt-0.5 shrink-0 text-warning" />
        <h3 id={id} className="min-w-0 font-medium text-base [overflow-wrap:anywhere]">
          {t(`title.${first.question.kind}`, { server: visibleString(first.serverName) })}
        </h3>
        {count > 1 && <span className="ml-auto shrink-0 text-muted text-sm">{t('more', { count: count - 1 })}</span>}
      </div>
      <RequestView key={first.id} request={first} />
    </section>
  );
}
