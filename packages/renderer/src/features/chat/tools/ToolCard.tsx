import type { ToolPart, ToolPartState } from '@shared/contracts/message-types.ts';
import {
  Ban,
  Check,
  ChevronRight,
  CircleAlert,
  CircleSlash,
  type LucideIcon,
  ShieldQuestion,
  ShieldX,
  Wrench,
} from 'lucide-react';
import { lazy, memo, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { useSettings } from '../../../stores/settings.ts';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/Spinner.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { todoProgress } from '../../agent/run/facts.ts';
import { CallRequests } from '../../requests/CallRequests.tsx';
import { SignInNote } from '../../sign-in/SignInNote.tsx';
import { Approval } from './Approval.tsx';
import { ArgumentsView } from './ArgumentsView.tsx';
import { isOwnTool, mainArgument, reasonForPerson, refusedBy } from './decisions.ts';
import { Elapsed } from './Elapsed.tsx';
import { ToolProgress } from './ToolProgress.tsx';
import { ToolResult } from './ToolResult.tsx';

const ToolDisplayView = lazy(() => import('../../agent/run/display/ToolDisplayView.tsx'));
const Decisions = lazy(() => import('../../agent/run/display/Decisions.tsx'));

const marks: Record<ToolPartState, { icon: LucideIcon | 'spinner'; look: string }> = {
  streaming: { icon: 'spinner', look: 'text-muted' },
  'awaiting-approval': { icon: ShieldQuestion, look: 'text-warning' },
  running: { icon: 'spinner', look: 'text-accent' },
  done: { icon: Check, look: 'text-success' },
  failed: { icon: CircleAlert, look: 'text-danger' },
  denied: { icon: Ban, look: 'text-muted' },
  cancelled: { icon: CircleSlash, look: 'text-muted' },
};

/** A call of a tool: one quiet line that opens to its arguments and result; an approval while it waits for the person. */
export const ToolCard = memo(function ToolCard({ part }: { part: ToolPart }) {
  const { t } = useTranslation(['chat', 'agent']);
  const expandTools = useSettings((state) => state.settings?.expandTools ?? false);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const id = useId();
  const conversationId = useChat((state) => state.conversationId);
  const asking = part.state === 'awaiting-approval';
  const open = chosen ?? expandTools;
  const refusal = refusedBy(part);
  const why = (refusal && reasonForPerson(refusal.reason)) || part.error?.message;

  return (
    <section
      data-testid="tool-card"
      data-state={part.state}
      data-call-id={part.callId}
      data-refused-by={refusal?.layer}
      aria-label={t('tool.label', { tool: part.toolName ?? part.wireName })}
      className={cx(
        'min-w-0 rounded-lg border transition-colors',
        asking ? 'border-warning bg-surface-2' : open ? 'border-border bg-surface-2' : 'border-transparent',
      )}
    >
      {asking ? (
        <Approval part={part} />
      ) : (
        <>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setChosen(!open)}
            className={cx(
              'flex min-h-9 w-full items-center gap-2.5 rounded-lg px-3 py-1.5 text-left text-sm transition-colors',
              !open && 'bg-surface-0/60 hover:bg-surface-3/70',
            )}
          >
            {refusal ? (
              <ShieldX size={16} aria-hidden className="shrink-0 text-danger" />
            ) : (
              <StateMark state={part.state} />
            )}
            <ToolName part={part} />
            <Touches part={part} />
            <span className="ml-auto flex shrink-0 items-center gap-2 text-muted text-xs">
              {refusal && <span className="text-danger">{t(`agent:safety.blocked.${refusal.layer}`)}</span>}
              {part.state !== 'done' && !refusal && <span>{t(`tool.state.${part.state}`)}</span>}
              {part.state === 'done' && <span className="sr-only">{t('tool.state.done')}</span>}
              <Elapsed startedAt={part.startedAt} endedAt={part.endedAt} running={part.state === 'running'} />
              <ChevronRight size={16} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
            </span>
          </button>
          {part.state === 'running' && <ToolProgress progress={part.progress} />}
          {part.state === 'running' && conversationId && (
            <CallRequests conversationId={conversationId} callId={part.callId} />
          )}
          {part.state === 'running' && part.serverId !== undefined && (
            <SignInNote serverId={part.serverId} serverName={part.serverName ?? ''} />
          )}
          {!open && why && part.state !== 'done' && (
            <p className="px-3 pt-1 pb-2 pl-9.5 text-muted text-sm [overflow-wrap:anywhere]">{why}</p>
          )}
          {open && (
            <div id={id} className="flex flex-col gap-4 px-3 pt-1 pb-3">
              {part.title && part.title !== part.toolName && (
                <p className="text-muted text-sm">
                  <VisibleText text={part.title} />
                </p>
              )}
              {part.display && (
                <Suspense>
                  <ToolDisplayView display={part.display} callId={part.callId} />
                </Suspense>
              )}
              <ArgumentsView args={part.args} argsText={part.argsText} />
              {/* Why it was refused stands below, with who refused it. */}
              {(part.result || (part.error && !refusal)) && <ToolResult result={part.result} error={part.error} />}
              {part.decisions && part.decisions.length > 0 && (
                <Suspense>
                  <Decisions decisions={part.decisions} />
                </Suspense>
              )}
            </div>
          )}
        </>
      )}
    </section>
  );
});

/** What a built-in tool works on, beside its name; for a file that was changed, by how much; for a list, how far it is. */
function Touches({ part }: { part: ToolPart }) {
  const { args, display } = part;
  const { t } = useTranslation('agent');
  if (display?.kind === 'diff') {
    return (
      <span className="flex min-w-0 items-baseline gap-2 text-muted">
        <span className="truncate font-mono text-xs" title={display.path}>
          <VisibleText text={display.path} />
        </span>
        {display.changeId !== undefined && (
          <span className="tabular shrink-0 text-xs">
            {(display.added > 0 || display.removed === 0) && (
              <span className="text-success" title={t('changes.added', { count: display.added })}>
                +{display.added}
              </span>
            )}{' '}
            {display.removed > 0 && (
              <span className="text-danger" title={t('changes.removed', { count: display.removed })}>
                −{display.removed}
              </span>
            )}
          </span>
        )}
      </span>
    );
  }
  if (display?.kind === 'todo' && display.items.length > 0) {
    const { done, current } = todoProgress(display.items);
    return (
      <span className="flex min-w-0 items-baseline gap-2 text-muted">
        <span className="tabular shrink-0">{t('todo.count', { done, total: display.items.length })}</span>
        {current && (
          <span dir="auto" className="truncate" title={current.text}>
            <VisibleText text={current.text} />
          </span>
        )}
      </span>
    );
  }
  const main = isOwnTool(part) ? mainArgument(args) : undefined;
  if (main === undefined) return null;
  return (
    <span className="min-w-0 truncate font-mono text-muted text-xs" title={main}>
      <VisibleText text={main} />
    </span>
  );
}

/** `server · tool`, in the server's own words; what the model called where there is no such tool. */
function ToolName({ part }: { part: ToolPart }) {
  const { t } = useTranslation('chat');
  return (
    <span className={cx('flex min-w-0 items-baseline gap-1.5', isOwnTool(part) && 'max-w-1/2 shrink-0')}>
      {!isOwnTool(part) && (
        <>
          <span className="truncate text-muted">
            <VisibleText text={part.serverName ?? ''} />
          </span>
          <span aria-hidden className="text-muted">
            ·
          </span>
        </>
      )}
      <span className="truncate font-medium">
        <VisibleText text={part.toolName ?? part.wireName} />
      </span>
      {part.toolName === undefined && part.state !== 'streaming' && (
        <span className="shrink-0 text-muted">{t('tool.unknown')}</span>
      )}
    </span>
  );
}

function StateMark({ state }: { state: ToolPartState }) {
  const { icon: Icon, look } = marks[state];
  if (Icon === 'spinner')
    return state === 'streaming' ? (
      <Wrench size={16} aria-hidden className={cx('breathe shrink-0', look)} />
    ) : (
      <Spinner className={look} />
    );
  return <Icon size={16} aria-hidden className={cx('shrink-0', look)} />;
}
