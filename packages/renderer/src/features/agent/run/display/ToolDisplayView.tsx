import type { DiffDisplay, ToolDisplay } from '@shared/contracts/message-types.ts';
import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { changesOf, useAgent } from '../../../../stores/agent.ts';
import { useChat } from '../../../../stores/chat.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { UndoButton } from '../changes/UndoButton.tsx';
import { DiffDialog } from './DiffDialog.tsx';
import { DiffView } from './DiffView.tsx';
import { diffLines, isCut, isNewFile } from './diff-lines.ts';
import { TodoList } from './TodoList.tsx';

/** What a call shows of itself beside its result: how a file was changed or would be, or what is to be done. */
export default function ToolDisplayView({ display, callId }: { display: ToolDisplay; callId: string }) {
  return display.kind === 'todo' ? <TodoList items={display.items} /> : <Diff display={display} callId={callId} />;
}

function Diff({ display, callId }: { display: DiffDisplay; callId: string }) {
  const { t } = useTranslation('agent');
  const { changeId, problem } = display;
  const conversationId = useChat((state) => state.conversationId);
  const change = useAgent((state) => changesOf(state, conversationId).find(({ id }) => id === changeId));
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => {
    const all = diffLines(display.diff);
    // Lines of what the call gives are no lines of the file.
    return problem === undefined ? all : all.map(({ kind, text }) => ({ kind, text }));
  }, [display.diff, problem]);
  const cut = isCut(lines, display);
  const counts = `${t('changes.added', { count: display.added })}, ${t('changes.removed', { count: display.removed })}`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <div className="flex min-w-0 items-center gap-2">
          <h4 className="min-w-0 font-mono text-muted text-xs [overflow-wrap:anywhere]">
            <VisibleText text={display.path} />
          </h4>
          {isNewFile(display.diff) && problem === undefined && <Badge tone="success">{t('changes.created')}</Badge>}
        </div>
        <div className="flex items-center gap-2">
          {cut && (
            <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
              {t('diff.whole')}
            </Button>
          )}
          {conversationId && change && <UndoButton conversationId={conversationId} change={change} />}
        </div>
      </div>
      {problem !== undefined && (
        <p data-testid="diff-problem" className="flex items-start gap-2 text-sm text-warning">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t('diff.problem', { reason: visibleString(problem) })}
          </span>
        </p>
      )}
      <DiffView
        lines={lines}
        label={`${t('diff.of', { path: visibleString(display.path) })}: ${counts}`}
        copy={() => display.diff}
      />
      {cut && <p className="text-muted text-xs">{t('diff.cut')}</p>}
      {whole && conversationId && (
        <DiffDialog
          path={display.path}
          load={() =>
            unwrap(
              changeId === undefined
                ? api().agent.preview({ conversationId, callId })
                : api().agent.diff({ conversationId, changeId }),
            )
          }
          onClose={() => setWhole(false)}
        />
      )}
    </div>
  );
}
