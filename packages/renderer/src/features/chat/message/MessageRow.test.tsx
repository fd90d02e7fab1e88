// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Profiler } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../stores/app.ts';
import { useChat } from '../../../stores/chat.ts';
import { connectStores } from '../../../stores/connect.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { useProviders } from '../../../stores/providers.ts';
import { agentRun } from '../../../testing/fake-agent.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { CONVERSATION, conversation, delta, message, textPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { MessageRow } from './MessageRow.tsx';

const model = { providerId: 'demo', modelId: 'demo' };
let fake: FakeApi;

async function open(messages: ReturnType<typeof message>[]) {
  fake = await setUp({ conversations: [conversation()], messages: { [CONVERSATION]: messages } });
  connectStores(() => undefined);
  await waitFor(() => expect(useProviders.getState().providers).not.toBeNull());
  await waitFor(() => expect(useConversations.getState().conversations).not.toBeNull());
  useConversations.getState().select(CONVERSATION);
  await useChat.getState().open(CONVERSATION);
}

describe('a delta', () => {
  it('renders the message it belongs to and no other', async () => {
    const history = Array.from({ length: 20 }, (_, index) =>
      message(`m${index}`, { role: index % 2 ? 'assistant' : 'user', parts: [textPart(`Text ${index}`)] }),
    );
    await open([...history, message('live', { status: 'streaming', parts: [textPart('Now')] })]);
    const renders: Record<string, number> = {};
    const rows = useChat.getState().rows.map(({ id }) => (
      <Profiler
        key={id}
        id={id}
        onRender={() => {
          renders[id] = (renders[id] ?? 0) + 1;
        }}
      >
        <MessageRow id={id} opens closes={false} latest={id === 'live'} />
      </Profiler>
    ));
    renderInApp(<div>{rows}</div>);
    const before = { ...renders };
    for (let index = 0; index < 10; index += 1) act(() => fake.emit([delta('live', ' and'), delta('live', ' on')]));
    await waitFor(() => expect(document.body.textContent).toContain('Now and on and on'));
    expect(renders.live).toBeGreaterThan(before.live!);
    for (const { id } of history) expect(renders[id], id).toBe(before[id]);
  });
});

describe('an error', () => {
  const failed = message('a', {
    status: 'failed',
    model,
    parts: [{ type: 'error', error: { code: 'key-refused', message: 'The key was refused.', hint: 'Check it.' } }],
  });

  beforeEach(() => open([failed]));

  it('says what happened and what to do, with a way to try again and to the settings', async () => {
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByRole('alert').textContent).toMatch(/The key was refused\.Check it\./);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() =>
      expect(fake.calls).toContainEqual(['completion.retry', { conversationId: CONVERSATION, model }]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Open settings' }));
    expect(useApp.getState().view).toMatchObject({ name: 'settings', section: 'providers' });
  });

  it('further up has no buttons: only the last message can be tried again', () => {
    renderInApp(<MessageRow id="a" opens closes latest={false} />);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('notices', () => {
  it('offer to try again after an answer was stopped', async () => {
    await open([message('a', { model, status: 'stopped' })]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(fake.calls.map(([call]) => call)).toContain('completion.retry'));
  });

  it('let the model go on after the round limit', async () => {
    await open([message('a', { model, parts: [{ type: 'notice', notice: 'round-limit', values: { rounds: 25 } }] })]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByTestId('message-notice').textContent).toContain('25 times');
    fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
    await waitFor(() => expect(fake.calls.map(([call]) => call)).toContain('completion.proceed'));
  });

  it('name the servers that were late', async () => {
    await open([
      message('a', { parts: [{ type: 'notice', notice: 'servers-late', values: { servers: 'Mail, Files' } }] }),
    ]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByTestId('message-notice').textContent).toContain('Mail, Files');
  });
});

describe('an answer', () => {
  it('of the demo model is marked as not from an AI', async () => {
    await open([message('a', { model, parts: [textPart('Hello')] })]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByRole('article').textContent).toContain('not an AI model');
  });

  it('is copied whole and shows the tokens of all its rounds', async () => {
    await open([
      message('u', { role: 'user', parts: [textPart('Question')] }),
      message('a1', { parentId: 'u', parts: [textPart('First.')], usage: { inputTokens: 1000, outputTokens: 20 } }),
      message('a2', { parentId: 'a1', parts: [textPart('Second.')], usage: { inputTokens: 500, outputTokens: 5 } }),
    ]);
    renderInApp(<MessageRow id="a2" opens={false} closes latest />);
    expect(screen.getByRole('article').textContent).toContain('1,500 tokens in · 25 out');
    fireEvent.click(screen.getByRole('button', { name: 'Copy answer' }));
    await waitFor(() => expect(fake.calls).toContainEqual(['app.copyText', { text: 'First.\n\nSecond.' }]));
  });

  it('shows a sign of life before its first word', async () => {
    await open([message('a', { status: 'streaming' })]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByTestId('thinking')).toBeTruthy();
  });
});

describe('a summary', () => {
  const summary = { type: 'summary', text: 'We spoke of **tea**.', rows: 12, tokensBefore: 90_000 } as const;

  it.each(['assistant', 'user'] as const)('in a row of the %s opens to what the model reads', async (role) => {
    await open([message('s', { role, parts: [summary, textPart('And now?')] })]);
    renderInApp(<MessageRow id="s" opens closes latest />);
    expect(screen.getByText('And now?')).toBeTruthy();
    expect(screen.queryByText('tea')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Earlier messages were summarised for the model' }));
    expect(screen.getByTestId('summary').textContent).toContain('12 messages are replaced');
    expect((await screen.findByText('tea')).closest('[data-testid="summary"]')).toBeTruthy();
  });

  it('that stands alone shows no empty message', async () => {
    await open([message('s', { role: 'user', parts: [summary] })]);
    renderInApp(<MessageRow id="s" opens closes latest />);
    expect(screen.queryByRole('button', { name: 'Copy message' })).toBeNull();
  });
});

describe('a run that was stopped', () => {
  it.each([
    ['stopped', []],
    ['interrupted', []],
    ['failed', [{ type: 'error', error: { code: 'overloaded', message: 'Overloaded.' } }]],
  ] as const)('%s: can be resumed where it was', async (status, parts) => {
    const run = conversation({ agent: agentRun(), model });
    await open([message('a', { model, status, parts: [textPart('Half an'), ...parts] })]);
    fake.state.conversations = [run];
    await useConversations.getState().load();
    await useProviders.getState().load();
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await waitFor(() => expect(fake.calls.map(([call]) => call)).toContain('completion.proceed'));
  });
});

describe('the notices of a run', () => {
  it('say how much it used, and which tools were left out', async () => {
    await open([
      message('a', {
        parts: [
          { type: 'notice', notice: 'tools-collided', values: { tools: 'mcp__a__read' } },
          { type: 'notice', notice: 'token-budget', values: { tokens: 500_123 } },
        ],
      }),
    ]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    expect(screen.getByRole('article').textContent).toContain('the same name: mcp__a__read');
    expect(screen.getByRole('article').textContent).toContain('used 500,123 tokens');
    expect(screen.getByRole('button', { name: 'Go on' })).toBeTruthy();
  });
});

describe('a server of the run’s own that failed', () => {
  it('is said with its reason, what to do and the details', async () => {
    const values = { servers: 'memory', reason: 'The server “memory” ended.', details: 'exit code 3' };
    await open([message('a', { parts: [{ type: 'notice', notice: 'server-failed', values }] })]);
    renderInApp(<MessageRow id="a" opens closes latest />);
    const notice = screen.getByTestId('message-notice');
    expect(notice.textContent).toContain('The server “memory” ended. The run goes on without the tools of “memory”.');
    expect(notice.textContent).toContain('started again with your next message');
    fireEvent.click(screen.getByRole('button', { name: 'Details' }));
    expect(notice.textContent).toContain('exit code 3');
  });
});

describe("a person's message", () => {
  it('is shown as written, never as markdown or HTML', async () => {
    const text = '# not a title\n<img src=x onerror=alert(1)> **plain**';
    await open([message('u', { role: 'user', parts: [textPart(text)] })]);
    renderInApp(<MessageRow id="u" opens closes latest />);
    expect(screen.getByText(/not a title/).textContent).toBe(text);
    expect(document.querySelector('article img')).toBeNull();
  });
});
