import type { ToolDisplay } from '@shared/contracts/message-types.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changesOf, useAgent } from '../../../../stores/agent.ts';
import { useChat } from '../../../../stores/chat.ts';
import { Button } from '../../../../ui/Button.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { visibleString } from '../../../../ui/visible-text.ts';
import { UndoButton } from '../changes/UndoButton.tsx';
import { DiffDialog } from './DiffDialog.tsx';
import { DiffView } from './DiffView.tsx';
import { diffLines, isCut } from './diff-lines.ts';
import { TodoList } from './TodoList.tsx';

/** What a call shows of itself beside its result: how a file was changed, or what is to be done. */
export default function ToolDisplayView({ display }: { display: ToolDisplay }) {
  return display.kind === 'todo' ? <TodoList items={display.items} /> : <Diff display={display} />;
}

function Diff({ display }: { display: Extract<ToolDisplay, { kind: 'diff' }> }) {
  const { t } = useTranslation('agent');
  const conversationId = useChat((state) => state.conversationId);
  const change = useAgent((state) => changesOf(state, conversationId).find(({ id }) => id === display.changeId));
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => diffLines(display.diff), [display.diff]);
  const cut = isCut(lines, display);
  const counts = `${t('changes.added', { count: display.added })}, ${t('changes.removed', { count: display.removed })}`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h4 className="min-w-0 font-mono text-muted text-xs [overflow-wrap:anywhere]">
          <VisibleText text={display.path} />
        </h4>
        <div className="flex items-center gap-2">
          {cut && (
            <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
              {t('diff.whole')}
            </Button>
          )}
          {conversationId && change && <UndoButton conversationId={conversationId} change={change} />}
        </div>
      </div>
      <DiffView
        lines={lines}
        label={`${t('diff.of', { path: visibleString(display.path) })}: ${counts}`}
        copy={() => display.diff}
      />
      {cut && <p className="text-muted text-xs">{t('diff.cut')}</p>}
      {whole && conversationId && (
        <DiffDialog
          conversationId={conversationId}
          changeId={display.changeId}
          path={display.path}
          onClose={() => setWhole(false)}
        />
      )}
    </div>
  );
}
