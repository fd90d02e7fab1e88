// @vitest-environment happy-dom
import type { TodoItem } from '@shared/contracts/agent-types.ts';
import type { DiffDisplay, ToolPart } from '@shared/contracts/message-types.ts';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useAgent } from '../../../../stores/agent.ts';
import { useChat } from '../../../../stores/chat.ts';
import { useConversations } from '../../../../stores/conversations.ts';
import { agentRun, fileChange } from '../../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { CONVERSATION, conversation, toolPart } from '../../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { ToolCard } from '../../../chat/tools/ToolCard.tsx';

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation({ agent: agentRun() })],
    changes: { [CONVERSATION]: [fileChange('one')] },
  });
  await useConversations.getState().load();
  await useChat.getState().open(CONVERSATION);
  await useAgent.getState().loadChanges(CONVERSATION);
});

const show = (values: Partial<ToolPart>) =>
  renderInApp(
    <ToolCard
      part={toolPart({ serverId: undefined, serverName: undefined, wireName: 'Edit', toolName: 'Edit', ...values })}
    />,
  );
const card = () => screen.getByTestId('tool-card');
const open = () => fireEvent.click(within(card()).getByRole('button', { expanded: false }));
const display = (diff: string, added: number, removed = 1): ToolPart['display'] => ({
  kind: 'diff',
  changeId: 'one',
  path: 'src/brew.ts',
  diff,
  added,
  removed,
});

describe('the card of a change', () => {
  it('says on its line which file changed, and by how much', () => {
    show({ display: display('@@ -1 +1 @@\n-a\n+b\n', 1) });
    expect(card().textContent).toContain('src/brew.ts+1 −1');
  });

  it('leaves out a number that is nothing', () => {
    show({ display: display('@@ -0,0 +1 @@\n+b\n', 1, 0) });
    expect(card().textContent).toContain('src/brew.ts+1');
    expect(card().textContent).not.toContain('−');
    cleanup();
    show({ display: display('@@ -1 +0,0 @@\n-a\n', 0) });
    expect(card().textContent).toContain('src/brew.ts −1');
    expect(card().textContent).not.toContain('+');
  });

  it('opens to the diff, with signs and in words, and the way to undo it', async () => {
    show({ display: display('@@ -1 +1 @@\n-a\n+<b>\n', 1) });
    open();
    const diff = await screen.findByRole('figure', { name: 'Change of src/brew.ts: 1 line added, 1 removed' });
    expect(diff.textContent).toContain('−a');
    expect(diff.textContent).toContain('+<b>');
    expect(diff.querySelector('b')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open whole diff' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Undo the change of src/brew.ts' }));
    expect(await screen.findByText('Undone')).toBeTruthy();
  });

  it('opens the whole of a diff that was cut', async () => {
    fake.state.diffs.one = `@@ -1 +1,3 @@\n-a\n+b\n+c\n+the end\n`;
    show({ display: display('@@ -1 +1,3 @@\n-a\n+b\n', 3) });
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Open whole diff' }));
    const dialog = await screen.findByTestId('diff-dialog');
    expect((await within(dialog).findByTestId('diff')).textContent).toContain('+the end');
  });

  it('folds a long one', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `+line ${index}`).join('\n');
    show({ display: display(`@@ -0,0 +1,300 @@\n-a\n${lines}\n`, 300) });
    open();
    const diff = await screen.findByTestId('diff');
    expect(diff.textContent).not.toContain('line 299');
    fireEvent.click(within(diff).getByRole('button', { name: 'Show all 302 lines' }));
    expect(diff.textContent).toContain('line 299');
  });
});

describe('the card of a list', () => {
  const items = (...all: [string, TodoItem['status']][]): ToolPart['display'] => ({
    kind: 'todo',
    items: all.map(([text, status]) => ({ text, status })),
  });

  it('says on its line how far the list is, and what the run is at', () => {
    show({
      toolName: 'TodoWrite',
      display: items(['Look', 'done'], ['Later', 'pending'], ['Mend', 'in-progress']),
    });
    expect(card().textContent).toContain('TodoWrite1 of 3 doneMend');
  });

  it('says what comes next while the run is at nothing, and nothing more when all is done', () => {
    show({ toolName: 'TodoWrite', display: items(['Look', 'pending'], ['Mend', 'pending']) });
    expect(card().textContent).toContain('TodoWrite0 of 2 doneLook');
    cleanup();
    show({ toolName: 'TodoWrite', display: items(['Look', 'done']) });
    expect(card().textContent).toBe('TodoWrite1 of 1 doneDone');
  });
});

describe('decisions', () => {
  const refused = { layer: 'firewall', outcome: 'deny', reason: 'Keys are never read.' } as const;

  it("of the firewall don't look like the person's own", () => {
    show({ state: 'denied', decisions: [refused] });
    expect(card().dataset.refusedBy).toBe('firewall');
    expect(card().textContent).toContain('Blocked by the firewall');
    expect(card().textContent).toContain('Keys are never read.');
  });

  it('of the person are plain', () => {
    show({
      state: 'denied',
      decisions: [
        { layer: 'permission', outcome: 'ask', reason: 'It changes a file.' },
        { layer: 'person', outcome: 'deny', reason: '' },
      ],
    });
    expect(card().dataset.refusedBy).toBeUndefined();
    expect(card().textContent).toContain('Denied');
  });

  it('are listed in the opened card', async () => {
    show({
      state: 'done',
      decisions: [
        { ...refused, outcome: 'allow', reason: 'in the workspace' },
        { layer: 'permission', outcome: 'ask', reason: 'Commands ask.' },
        { layer: 'person', outcome: 'allow', reason: '' },
      ],
    });
    open();
    const lines = within(await screen.findByTestId('decisions')).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      'Firewall allowed · in the workspace',
      'Permission asks · Commands ask.',
      'You allowed',
    ]);
  });
});

describe('an approval of a change', () => {
  const asks = (values: Partial<DiffDisplay> = {}) =>
    show({
      state: 'awaiting-approval',
      args: { path: 'src/brew.ts', old_text: 'a', new_text: 'b' },
      display: { kind: 'diff', path: 'src/brew.ts', diff: '@@ -7 +7 @@\n-a\n+b\n', added: 1, removed: 1, ...values },
    });

  it('shows the diff, and the arguments for those who ask', async () => {
    asks();
    const diff = await screen.findByRole('figure', { name: 'Change of src/brew.ts: 1 line added, 1 removed' });
    expect(diff.textContent).toBe('…7−a7+b');
    expect(screen.queryByRole('button', { name: /Undo/ })).toBeNull();
    expect(screen.queryByTestId('tool-arguments')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Arguments' }));
    expect(screen.getByTestId('tool-arguments').textContent).toContain('old_text');
  });

  it('opens the whole of a long one, as the file is now', async () => {
    fake.state.diffs['call-1'] = '@@ -7 +7,2 @@\n-a\n+b\n+the end\n';
    asks({ added: 2 });
    fireEvent.click(await screen.findByRole('button', { name: 'Open whole diff' }));
    const dialog = await screen.findByTestId('diff-dialog');
    expect((await within(dialog).findByTestId('diff')).textContent).toContain('+the end');
  });

  it('says that it would fail, and why', async () => {
    asks({ problem: 'old_text is not in src/brew.ts.' });
    expect((await screen.findByTestId('diff-problem')).textContent).toContain('“old_text is not in src/brew.ts.”');
    // Nothing is said of lines: it isn't in the file.
    expect(screen.getByTestId('diff').textContent).toBe('−a+b');
  });
});

describe('the card of a change that was denied', () => {
  it('names the file, and counts no lines as changed', () => {
    show({ state: 'denied', display: { kind: 'diff', path: 'src/brew.ts', diff: '', added: 1, removed: 1 } });
    expect(card().textContent).toBe('Editsrc/brew.tsDenied');
  });
});

describe('an approval of a run', () => {
  it('to connect a server names it', () => {
    show({ state: 'awaiting-approval', toolName: 'connect_mcp', args: { name: 'Mail' } });
    expect(screen.getByTestId('approval').textContent).toContain('connect to your server “Mail”?');
    cleanup();
    show({ toolName: 'connect_mcp', args: { name: 'Mail' } });
    expect(card().textContent).toContain('connect_mcpMail');
  });

  it('says why the firewall asks, how far an answer goes and when it is too late', () => {
    show({
      state: 'awaiting-approval',
      decisions: [
        { layer: 'firewall', outcome: 'ask', reason: 'It can’t be told what $X stands for.' },
        { layer: 'permission', outcome: 'ask', reason: 'Commands ask.' },
      ],
    });
    const text = screen.getByTestId('approval').textContent;
    expect(text).toContain('Firewall: It can’t be told what $X stands for.');
    expect(text).not.toContain('Commands ask.');
    expect(text).toContain('Without an answer in 5 minutes it is denied.');
    expect(screen.getByRole('button', { name: 'Allow for this run' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Allow for this chat' })).toBeNull();
  });
});
