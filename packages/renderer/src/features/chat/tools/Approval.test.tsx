// @vitest-environment happy-dom

import type { ToolPart } from '@shared/contracts/message-types.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useChat } from '../../../stores/chat.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { CONVERSATION, conversation, toolPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { ToolCard } from './ToolCard.tsx';

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp({
    conversations: [conversation()],
    tools: {
      files: [
        tool('write_file', { destructiveHint: true, idempotentHint: true }),
        tool('read_file', { readOnlyHint: true }),
        tool('silent', undefined),
      ],
    },
  });
  await useChat.getState().open(CONVERSATION);
});

const tool = (name: string, annotations: object | undefined) => ({
  id: name,
  serverId: 'files',
  serverName: 'Sample files',
  name,
  description: '',
  inputSchema: {},
  annotations,
});
const asking = (values: Partial<ToolPart> = {}) => toolPart({ state: 'awaiting-approval', ...values });
const focused = () => document.activeElement?.closest('[data-call-id]')?.getAttribute('data-call-id');

describe('an approval', () => {
  it('focuses the safe answer', () => {
    renderInApp(<ToolCard part={asking()} />);
    expect(document.activeElement?.textContent).toBe('Deny');
  });

  it('takes no focus from someone who types', () => {
    renderInApp(
      <>
        <input aria-label="Message" defaultValue="half a sen" />
        <div data-testid="later" />
      </>,
    );
    screen.getByLabelText('Message').focus();
    renderInApp(<ToolCard part={asking()} />);
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });

  it('takes the focus from a field that is empty', () => {
    renderInApp(<input aria-label="Message" />);
    screen.getByLabelText('Message').focus();
    renderInApp(<ToolCard part={asking()} />);
    expect(document.activeElement?.textContent).toBe('Deny');
  });

  it('takes no focus from another approval, and gets it when that one is answered', async () => {
    renderInApp(
      <>
        <ToolCard part={asking({ callId: 'one' })} />
        <ToolCard part={asking({ callId: 'two' })} />
      </>,
    );
    expect(focused()).toBe('one');
    fireEvent.click(screen.getAllByRole('button', { name: 'Deny' })[0]!);
    await waitFor(() => expect(focused()).toBe('two'));
    expect(document.activeElement?.textContent).toBe('Deny');
  });

  it.each([
    ['Deny', 'deny'],
    ['Allow once', 'allow-once'],
    ['Allow for this chat', 'allow-for-chat'],
    ['Always allow', 'allow-always'],
  ])('%s answers %s, once', async (name, decision) => {
    renderInApp(<ToolCard part={asking({ callId: 'c' })} />);
    const button = screen.getByRole('button', { name });
    fireEvent.click(button);
    fireEvent.click(button);
    const expected = ['completion.approve', { conversationId: CONVERSATION, callId: 'c', decision }];
    await waitFor(() => expect(fake.calls).toContainEqual(expected));
    expect(fake.calls.filter(([call]) => call === 'completion.approve')).toHaveLength(1);
  });

  it('can be answered again when the answer did not arrive', async () => {
    fake.on('completion.approve', () => {
      throw { code: 'internal', message: 'It did not arrive.' };
    });
    renderInApp(<ToolCard part={asking()} />);
    fireEvent.click(screen.getByRole('button', { name: 'Allow once' }));
    await screen.findByText('It did not arrive.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Allow once' }).disabled).toBe(false);
  });

  it('shows the whole of the arguments, however long', () => {
    const content = `start ${'line\n'.repeat(5000)} end`;
    renderInApp(<ToolCard part={asking({ args: { content } })} />);
    expect(screen.getByTestId('tool-arguments').textContent).toContain(content);
  });

  it('makes visible what hides in arguments and names', () => {
    renderInApp(<ToolCard part={asking({ toolName: 'read\u200b_file', args: { 'pa\u202eth': 'a\u2066b' } })} />);
    const text = screen.getByTestId('approval').textContent;
    for (const name of ['U+200B', 'U+202E', 'U+2066']) expect(text).toContain(name);
    expect(text).not.toMatch(/[\u200b\u202e\u2066]/);
  });

  it('shows HTML in names as text', () => {
    renderInApp(<ToolCard part={asking({ serverName: '<img src=x onerror=alert(1)>', toolName: '<b>x</b>' })} />);
    expect(screen.getByTestId('approval').textContent).toContain(
      'Allow the server “<img src=x onerror=alert(1)>” to run “<b>x</b>”?',
    );
    expect(screen.getByTestId('approval').querySelector('img, b')).toBeNull();
  });

  it.each([
    ['write_file', /The server says:.*may overwrite or delete.*safe to repeat/],
    ['read_file', /The server says:.*reads only/],
    ['silent', /does not say whether/],
  ])('says what the server says about %s', async (toolName, words) => {
    renderInApp(<ToolCard part={asking({ toolName })} />);
    await waitFor(() => expect(screen.getByTestId('approval').textContent).toMatch(words));
  });

  it('ends when the call goes on', () => {
    const { rerender } = renderInApp(<ToolCard part={asking()} />);
    act(() => rerender(<ToolCard part={toolPart({ state: 'running' })} />));
    expect(screen.queryByTestId('approval')).toBeNull();
  });
});
