import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerRequests } from '../../stores/server-requests.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { visibleString } from '../../ui/visible-text.ts';
import { RequestView } from './RequestView.tsx';

/** Above every view: what servers ask that no card on the screen shows. A dialog takes the answer, one after the other. */
export function RequestBar() {
  const { t } = useTranslation('requests');
  const requests = useServerRequests((state) => state.requests);
  const shownCalls = useServerRequests((state) => state.shownCalls);
  const [open, setOpen] = useState<string | null>(null);
  const [leave, setLeave] = useState(0);
  const waiting = requests.filter(({ call }) => call === undefined || !shownCalls.has(call));
  // The one that is being answered stays, also when the chat with its card comes into view.
  const current = requests.find(({ id }) => id === open);
  const [first] = waiting;

  const show = (id: string) => {
    setLeave(0);
    setOpen(id);
  };

  return (
    <>
      {first && (
        <section
          aria-label={t('region')}
          data-testid="request-bar"
          className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-warning-soft px-4 py-2 text-sm"
        >
          <MessageCircleQuestion size={16} aria-hidden className="shrink-0 text-warning" />
          <p className="min-w-60 flex-1 [overflow-wrap:anywhere]">
            {t(`title.${first.question.kind}`, { server: visibleString(first.serverName) })}
            {waiting.length > 1 && <span className="text-muted"> {t('more', { count: waiting.length - 1 })}</span>}
          </p>
          <Button size="sm" onClick={() => show(first.id)}>
            {t('show')}
          </Button>
        </section>
      )}
      {current && (
        <Dialog
          key={current.id}
          open
          onClose={() => setLeave((count) => count + 1)}
          size="lg"
          testId="request-dialog"
          title={t(`title.${current.question.kind}`, { server: visibleString(current.serverName) })}
        >
          <RequestView request={current} leave={leave} />
        </Dialog>
      )}
    </>
  );
}
