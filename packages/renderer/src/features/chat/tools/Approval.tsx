import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { McpToolAnnotations } from '@shared/contracts/mcp-types.ts';
import type { ToolPart } from '@shared/contracts/message-types.ts';
import { ShieldAlert, ShieldQuestion } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useChat } from '../../../stores/chat.ts';
import { useServers } from '../../../stores/servers.ts';
import { Badge, type Tone } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Disclosure } from '../../../ui/Disclosure.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { VisibleText } from '../../../ui/VisibleText.tsx';
import { isNewFile } from '../../agent/run/display/diff-lines.ts';
import { focusComposer } from '../composer/focus.ts';
import { useIsRun } from '../message/turn-actions.tsx';
import { ArgumentsView } from './ArgumentsView.tsx';
import { focusWhenShown, mayTakeFocus, nextApproval } from './approval-focus.ts';
import { isOwnTool } from './decisions.ts';

const ToolDisplayView = lazy(() => import('../../agent/run/display/ToolDisplayView.tsx'));

/**
 * Asks the person about one call, showing the whole of what would be sent, or what it would change. The safe answer has the
 * focus, unless the person is typing or another approval has it.
 */
export function Approval({ part }: { part: ToolPart }) {
  const { t } = useTranslation(['chat', 'agent']);
  const isRun = useIsRun();
  const approve = useChat((state) => state.approve);
  const [decided, setDecided] = useState<ApprovalDecision | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const deny = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!deny.current || !mayTakeFocus(document.activeElement)) return;
    return focusWhenShown(deny.current);
  }, []);

  const action = useAction(async (decision: ApprovalDecision) => {
    setDecided(decision);
    try {
      await approve(part.callId, decision);
    } catch (thrown) {
      setDecided(null);
      throw thrown;
    }
    const next = nextApproval(box.current);
    if (next) next.focus();
    else focusComposer();
  });
  const answer = (decision: ApprovalDecision) => ({
    busy: decided === decision,
    disabled: decided !== null,
    onClick: () => void action.run(decision),
  });

  return (
    <div ref={box} data-testid="approval" className="flex flex-col gap-3 p-4">
      <div className="sticky top-0 z-10 -mx-4 -mt-4 flex max-h-[30vh] short:static items-start gap-2.5 overflow-y-auto rounded-t-lg bg-surface-2 px-4 pt-4 pb-2">
        <ShieldQuestion size={20} aria-hidden className="mt-0.5 shrink-0 text-warning" />
        <h3 className="font-medium text-base">
          <Trans
            t={t}
            i18nKey={titleOf(part)}
            components={{
              path: <Name text={part.display?.kind === 'diff' ? part.display.path : ''} />,
              name: <Name text={String(part.args?.name ?? '')} />,
              tool: <Name text={part.toolName ?? part.wireName} />,
              server: <Name text={part.serverName ?? ''} />,
            }}
          />
        </h3>
      </div>
      <Annotations part={part} />
      <Reasons part={part} />
      {part.display ? (
        <>
          <Suspense>
            <ToolDisplayView display={part.display} callId={part.callId} />
          </Suspense>
          <Disclosure label={t('tool.arguments')}>
            <ArgumentsView args={part.args} argsText={part.argsText} />
          </Disclosure>
        </>
      ) : (
        <ArgumentsView args={part.args} argsText={part.argsText} />
      )}
      {action.error && <ErrorNote error={action.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          ref={deny}
          data-safe
          {...answer('deny')}
          className="focus:outline-2 focus:outline-accent focus:outline-offset-2"
        >
          {t('approval.deny')}
        </Button>
        <Button variant="primary" {...answer('allow-once')}>
          {t('approval.allowOnce')}
        </Button>
        <Button variant="ghost" {...answer('allow-for-chat')}>
          {t(isRun ? 'agent:safety.allowForRun' : 'approval.allowForChat')}
        </Button>
        <Button variant="ghost" title={t('approval.allowAlwaysHint')} {...answer('allow-always')}>
          {t('approval.allowAlways')}
        </Button>
      </div>
      {isRun && <p className="text-muted text-xs">{t('agent:safety.timeLimit')}</p>}
    </div>
  );
}

function titleOf({ display, ...part }: ToolPart) {
  if (display?.kind === 'diff') return isNewFile(display.diff) ? 'approval.titleCreate' : 'approval.titleChange';
  if (!isOwnTool(part)) return 'approval.title';
  return part.toolName === 'connect_mcp' ? 'approval.titleConnect' : 'approval.titleUnknown';
}

/** Filled into the sentence by <Trans>, which hands its children over in place of the text. */
const Name = ({ text }: { text: string }) => (
  <strong className="font-semibold [overflow-wrap:anywhere]">
    <VisibleText text={text} />
  </strong>
);

/** Why a layer of safety would not let it pass by itself. */
function Reasons({ part: { decisions } }: { part: ToolPart }) {
  const { t } = useTranslation('agent');
  const asks = decisions?.filter(({ layer, outcome, reason }) => layer !== 'permission' && outcome === 'ask' && reason);
  if (!asks || asks.length === 0) return null;
  return (
    <ul aria-label={t('safety.why')} className="flex flex-col gap-1 rounded-md bg-warning-soft px-3 py-2 text-sm">
      {asks.map(({ layer, reason }) => (
        <li key={`${layer} ${reason}`} className="flex items-start gap-2">
          <ShieldAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warning" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="font-medium">{t(`safety.layer.${layer}`)}:</span> <VisibleText text={reason} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What the server says about the tool. Only its word: it is shown as such. */
function Annotations({ part }: { part: ToolPart }) {
  const { serverId, toolName } = part;
  const isOwn = isOwnTool(part);
  const { t } = useTranslation('chat');
  const tools = useServers((state) => (serverId === undefined ? undefined : state.tools[serverId]));
  const loadTools = useServers((state) => state.loadTools);
  useEffect(() => {
    // Without the listing the badges are missing and nothing else.
    if (serverId !== undefined && !isOwn && !tools) loadTools(serverId).catch(() => undefined);
  }, [serverId, isOwn, tools, loadTools]);
  const tool = tools?.find(({ name }) => name === toolName);
  if (!tool) return null;
  const said = annotationsSaid(tool.annotations);
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-muted text-xs">
      {said.length === 0 ? (
        t('approval.saysNothing')
      ) : (
        <>
          {t('approval.says')}
          {said.map(({ key, tone }) => (
            <Badge key={key} tone={tone}>
              {t(`approval.annotation.${key}`)}
            </Badge>
          ))}
        </>
      )}
    </div>
  );
}

type Said = { key: 'readOnly' | 'destructive' | 'changes' | 'repeatable' | 'openWorld'; tone: Tone };

function annotationsSaid(annotations: McpToolAnnotations | undefined): Said[] {
  const said: Said[] = [];
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {};
  if (readOnlyHint === true) said.push({ key: 'readOnly', tone: 'success' });
  else if (destructiveHint === true) said.push({ key: 'destructive', tone: 'danger' });
  else if (destructiveHint === false || readOnlyHint === false) said.push({ key: 'changes', tone: 'warning' });
  if (idempotentHint === true && readOnlyHint !== true) said.push({ key: 'repeatable', tone: 'neutral' });
  if (openWorldHint === true) said.push({ key: 'openWorld', tone: 'neutral' });
  return said;
}
