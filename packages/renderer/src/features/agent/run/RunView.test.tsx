// @vitest-environment happy-dom
import type { Message } from '@shared/contracts/message-types.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { useChat } from '../../../stores/chat.ts';
import { connectStores } from '../../../stores/connect.ts';
import { runOf, useConversations } from '../../../stores/conversations.ts';
import { useDrafts } from '../../../stores/drafts.ts';
import { useProviders } from '../../../stores/providers.ts';
import { agentRun, fileChange } from '../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { CONVERSATION, conversation, ended, message, textPart, toolPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { ChatView } from '../../chat/ChatView.tsx';
import { TranscriptEnd } from '../../chat/transcript/TranscriptEnd.tsx';
import { useChangesPanel } from './panel.ts';
import RunView from './RunView.tsx';

let fake: FakeApi;
const user = userEvent.setup();
const goal = message('u', { role: 'user', parts: [textPart('Fix the tests')] });
const calls = (name: string) => fake.calls.filter(([call]) => call === name).map(([, input]) => input);

function View() {
  const run = useConversations((state) => runOf(state, CONVERSATION));
  return run ? <RunView conversationId={CONVERSATION} run={run} /> : null;
}

async function show({
  messages = [goal],
  running = false,
  view = <View />,
}: {
  messages?: Message[];
  running?: boolean;
  view?: ReactElement;
} = {}) {
  useChangesPanel.setState({ open: false });
  fake = await setUp({
    conversations: [conversation({ title: 'Fix the tests', agent: agentRun() })],
    messages: { [CONVERSATION]: messages },
    running: new Set(running ? [CONVERSATION] : []),
    changes: {
      [CONVERSATION]: [
        fileChange('one'),
        fileChange('two', { path: 'src/kettle.ts', kind: 'created', added: 9, removed: 0 }),
      ],
    },
  });
  connectStores(() => undefined);
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
  useConversations.getState().select(CONVERSATION);
  await useChat.getState().open(CONVERSATION);
  renderInApp(view);
  await waitFor(() => expect(calls('agent.changes')).toHaveLength(1));
}

describe('the header', () => {
  it('says where, as what, and how much it took of what it may', async () => {
    const usage = { inputTokens: 12_000, outputTokens: 345 };
    await show({ messages: [goal, message('a', { parentId: 'u', usage, parts: [textPart('Done.')] })] });
    const about = screen.getByRole('list', { name: 'About this run' }).textContent;
    expect(about).toContain('Folder: /home/ada/projects/tea');
    expect(about).toContain('Agent: Coder');
    expect(about).toContain('12,345 of 500K tokens');
  });

  it('stops the run', async () => {
    await show({ running: true });
    await user.click(screen.getByTestId('run-stop'));
    expect(calls('completion.stop')).toEqual([{ conversationId: CONVERSATION }]);
    act(() => fake.emit([ended('stopped')]));
    expect(screen.getByTestId<HTMLButtonElement>('run-stop').disabled).toBe(true);
  });

  it('changes what it may do, and asks before it may do all', async () => {
    await show();
    const choose = async (name: string) => {
      await user.click(screen.getByRole('combobox', { name: 'What it may do without asking' }));
      await user.click(await screen.findByRole('option', { name }));
    };
    await choose('Plan');
    await waitFor(() => expect(calls('agent.setMode')).toEqual([{ conversationId: CONVERSATION, mode: 'plan' }]));
    await choose('Bypass');
    const dialog = await screen.findByRole('alertdialog');
    expect(calls('agent.setMode')).toHaveLength(1);
    await user.click(within(dialog).getByRole('button', { name: 'Stop asking' }));
    await waitFor(() => expect(runOf(useConversations.getState(), CONVERSATION)?.mode).toBe('bypass'));
  });
});

describe('the composer', () => {
  const write = (text: string) => {
    fireEvent.change(screen.getByTestId('composer-input'), { target: { value: text } });
    fireEvent.keyDown(screen.getByTestId('composer-input'), { key: 'Enter' });
  };

  it('says something to a run that goes on', async () => {
    await show({ running: true });
    expect(screen.getByTestId<HTMLTextAreaElement>('composer-input').placeholder).toBe('Say something to the run');
    write(' Leave the docs alone ');
    await waitFor(() =>
      expect(calls('agent.say')).toEqual([{ conversationId: CONVERSATION, text: 'Leave the docs alone' }]),
    );
    expect(await screen.findByText(/^Said\./)).toBeTruthy();
    expect(useDrafts.getState().drafts).toEqual({});
    expect(calls('completion.chatInSession')).toEqual([]);
  });

  it('sends it as a message when the run has just ended', async () => {
    await show({ running: true });
    fake.state.running.clear();
    write('And now the docs');
    await waitFor(() => expect(calls('completion.chatInSession')[0]).toMatchObject({ text: 'And now the docs' }));
  });

  it('keeps what was written when it could not be said', async () => {
    await show({ running: true });
    fake.on('agent.say', () => {
      throw { code: 'internal', message: 'It did not arrive.' };
    });
    write('Hello');
    expect(await screen.findByText('It did not arrive.')).toBeTruthy();
    expect(screen.getByTestId<HTMLTextAreaElement>('composer-input').value).toBe('Hello');
  });
});

describe('the list of what is to be done', () => {
  it('says what the run is at, and opens', async () => {
    const items = [
      { text: 'Look', status: 'done' as const },
      { text: 'Mend', status: 'in-progress' as const },
    ];
    await show({
      messages: [goal, message('a', { parentId: 'u', parts: [toolPart({ display: { kind: 'todo', items } })] })],
    });
    const strip = screen.getByTestId('todo-strip');
    expect(strip.textContent).toBe('1 of 2 doneMend');
    await user.click(within(strip).getByRole('button'));
    expect(
      within(strip)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Done:Look', 'In progress:Mend']);
  });
});

describe('the changes', () => {
  const openPanel = () => user.click(screen.getByRole('button', { name: 'Show changes (2 files)' }));
  const undo = (path: string) => screen.getByRole('button', { name: `Undo the change of ${path}` });

  it('are listed by file; arrow keys move, Esc closes and gives the focus back', async () => {
    await show({ running: true });
    await openPanel();
    const [first, second] = within(screen.getByTestId('change-list')).getAllByRole('button', {
      name: /^Show the change/,
    });
    first!.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(second);
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('changes-panel')).toBeNull();
    expect(document.activeElement).toBe(screen.getByTestId('changes-toggle'));
    expect(calls('completion.stop')).toEqual([]);
  });

  it('are closed by Esc from the composer too, which keeps the focus; the run goes on until the next Esc', async () => {
    await show({ running: true, view: <ChatView /> });
    await openPanel();
    const composer = screen.getByTestId('composer-input');
    composer.focus();
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('changes-panel')).toBeNull();
    expect(document.activeElement).toBe(composer);
    expect(calls('completion.stop')).toEqual([]);
    await user.keyboard('{Escape}');
    expect(calls('completion.stop')).toHaveLength(1);
  });

  it('are shown whole', async () => {
    await show();
    fake.state.diffs.one = '@@ -1 +1 @@\n-cold\n+hot\n';
    await openPanel();
    await user.click(within(screen.getByTestId('change-list')).getByText('src/brew.ts'));
    const diff = within(await screen.findByTestId('diff-dialog')).findByTestId('diff');
    expect((await diff).textContent).toContain('−cold');
  });

  it('are undone', async () => {
    await show();
    await openPanel();
    await user.click(undo('src/kettle.ts'));
    await screen.findByText('Undone');
    expect(calls('agent.undo')).toEqual([{ conversationId: CONVERSATION, changeId: 'two', force: false }]);
    await user.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Show changes (1 file)' })).toBeTruthy();
  });

  it('are undone by force only after a question, where the file has changed since', async () => {
    await show();
    fake.on('agent.undo', ({ changeId, force }: { changeId: string; force: boolean }) => {
      if (!force) throw { code: 'changed-since', message: 'Changed since.' };
      return fileChange(changeId, { undone: true });
    });
    await openPanel();
    await user.click(undo('src/brew.ts'));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Undo all the same' }));
    await waitFor(() => expect(calls('agent.undo').at(-1)).toMatchObject({ changeId: 'one', force: true }));
    await screen.findByText('Undone');
  });

  it('come as they are made', async () => {
    await show();
    const change = fileChange('three', { path: 'docs/tea.md' });
    act(() => fake.emit([{ type: 'agent.fileChanged', payload: { conversationId: CONVERSATION, change } }]));
    expect(screen.getByRole('button', { name: 'Show changes (3 files)' })).toBeTruthy();
  });
});

describe('a run that stands still', () => {
  it('is resumed where its last message has no answer', async () => {
    await show();
    renderInApp(<TranscriptEnd />);
    await user.click(screen.getAllByRole('button', { name: 'Resume' })[0]!);
    expect(calls('completion.proceed')).toEqual([
      { conversationId: CONVERSATION, model: { providerId: 'demo', modelId: 'demo' } },
    ]);
  });
});
