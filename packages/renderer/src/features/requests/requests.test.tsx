// @vitest-environment happy-dom

import type { ServerQuestion, ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyBatch } from '../../stores/connect.ts';
import { useServerRequests } from '../../stores/server-requests.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../testing/set-up.tsx';
import { CallRequests } from './CallRequests.tsx';
import { RequestBar } from './RequestBar.tsx';
import { RequestView } from './RequestView.tsx';

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp();
});

const FORM: ServerQuestion = {
  kind: 'form',
  message: '<b>Who</b> are you?',
  fields: [{ type: 'text', name: 'name', title: '<img src=x>\u202Eeman', required: true }],
};

const request = (question: ServerQuestion = FORM, values: Partial<ServerRequest> = {}): ServerRequest => ({
  id: 'r1',
  serverId: 's',
  serverName: 'shop\u202E',
  at: 1,
  question,
  ...values,
});

const answers = () => fake.calls.filter(([call]) => call === 'mcpRequests.answer').map(([, input]) => input);
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('a form', () => {
  it('shows the words of the server as text, with what can not be seen marked, and focuses Decline', () => {
    renderInApp(<RequestView request={request()} />);
    expect(document.querySelector('img, b')).toBeNull();
    expect(screen.getByText('<b>Who</b> are you?')).toBeTruthy();
    expect(screen.getByLabelText('<img src=x>[U+202E]eman')).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Decline');
  });

  it('says in place what is missing and sends nothing; then sends what was entered, once', async () => {
    renderInApp(<RequestView request={request()} />);
    press('Send');
    expect(screen.getByRole('alert').textContent).toBe('Fill this in.');
    expect(answers()).toEqual([]);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Ada' } });
    expect(screen.queryByRole('alert')).toBeNull();
    press('Send');
    press('Send');
    await waitFor(() => expect(answers()).toHaveLength(1));
    expect(answers()[0]).toEqual({
      id: 'r1',
      answer: { action: 'accept', values: [{ name: 'name', value: 'Ada' }] },
    });
  });

  it('brings the keyboard to choices of which too few are made', async () => {
    const options = [{ value: 'a', title: 'First' }];
    const field = { type: 'choices' as const, name: 'many', required: true, options, minItems: 1 };
    renderInApp(<RequestView request={request({ ...FORM, fields: [field] })} />);
    press('Send');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'First' })));
    expect(answers()).toEqual([]);
  });

  it('is cancelled by Esc at once when nothing was typed, after a question otherwise', async () => {
    const { unmount } = renderInApp(<RequestView request={request()} />);
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    await waitFor(() => expect(answers()).toEqual([{ id: 'r1', answer: { action: 'cancel' } }]));
    unmount();

    renderInApp(<RequestView request={request(FORM, { id: 'r2' })} />);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Ada' } });
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    press('Cancel');
    expect(answers()).toHaveLength(1);
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Ada');
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' });
    press('Leave');
    await waitFor(() => expect(answers()).toContainEqual({ id: 'r2', answer: { action: 'cancel' } }));
  });

  it('shows why an answer was refused and keeps what was entered', async () => {
    fake.on('mcpRequests.answer', () => {
      throw { code: 'not-pending', message: 'Taken back.' };
    });
    renderInApp(<RequestView request={request()} />);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Ada' } });
    press('Send');
    await screen.findByText('Taken back.');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Ada');
  });
});

describe('an address', () => {
  const url = (values: object = {}): ServerQuestion => ({
    kind: 'url',
    message: '',
    url: 'https://good.example\u200B@bad.example/\u202Efdp',
    host: 'bad.example',
    opened: false,
    ...values,
  });

  it('shows the host by itself and every hidden character, as no link', () => {
    renderInApp(<RequestView request={request(url())} />);
    expect(screen.getByTestId('request-host').textContent).toBe('bad.example');
    expect(screen.getByTestId('request-url').textContent).toContain('U+200B@bad.example/U+202Efdp');
    expect(document.querySelector('a, iframe, img, link[href*="example"]')).toBeNull();
  });

  it('that was opened waits, and Esc only takes it away', async () => {
    renderInApp(<RequestView request={request(url({ opened: true }))} />);
    fireEvent.keyDown(screen.getByRole('button', { name: 'Open again' }), { key: 'Escape' });
    await waitFor(() => expect(answers()).toEqual([{ id: 'r1', answer: { action: 'done' } }]));
  });
});

describe('a request to a model', () => {
  const sampling = (phase: Extract<ServerQuestion, { kind: 'sampling' }>['phase']): ServerQuestion => ({
    kind: 'sampling',
    system: 'Be brief',
    messages: [{ role: 'user', text: 'Say hi' }],
    maxTokens: 10,
    hints: ['claude'],
    notPassedOn: [{ name: 'temperature', value: '1.7' }],
    phase,
  });

  it('shows the whole of it, and can not be sent without a model', () => {
    renderInApp(<RequestView request={request(sampling({ name: 'asked' }))} />);
    for (const text of ['Be brief', 'Say hi', /10 tokens/, /claude/, /temperature 1.7/])
      expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Ask the model' }).disabled).toBe(true);
  });

  it('shows the pictures that a model would get', () => {
    const asked = sampling({ name: 'asked' });
    const images = [
      { data: 'aGkh', mimeType: 'image/png' },
      { data: '" onerror="x', mimeType: 'image/png' },
    ];
    const withImages = { ...asked, messages: [{ role: 'user' as const, text: 'Look', images }] };
    renderInApp(<RequestView request={request(withImages as ServerQuestion)} />);
    const shown = screen.getAllByRole('img', { name: /^Picture \d/ }).map((img) => img.getAttribute('src'));
    expect(shown).toEqual(['data:image/png;base64,aGkh', null]);
  });

  const DEMO = { providerId: 'demo', modelId: 'demo' };

  it('goes to the chosen model, and its answer to the server as the person left it', async () => {
    const { useProviders } = await import('../../stores/providers.ts');
    await useProviders.getState().load();
    const { rerender } = renderInApp(<RequestView request={request(sampling({ name: 'asked' }))} />);
    expect(screen.getByLabelText('Model').textContent).toContain('not an AI model');
    press('Ask the model');
    await waitFor(() =>
      expect(answers()[0]).toMatchObject({ answer: { action: 'approve', model: { providerId: 'demo' } } }),
    );
    rerender(<RequestView request={request(sampling({ name: 'answered', model: DEMO, text: 'Hi', cut: false }))} />);
    fireEvent.change(await screen.findByLabelText('Answer of Demo model (not an AI model)'), {
      target: { value: 'Hello' },
    });
    press('Send to the server');
    await waitFor(() => expect(answers()[1]).toMatchObject({ answer: { action: 'send', text: 'Hello' } }));
  });
});

describe('where a request is shown', () => {
  const call = JSON.stringify(['chat', 'c1']);
  const arrive = (...requests: ServerRequest[]) =>
    act(() =>
      applyBatch(
        { seq: 1, events: requests.map((each) => ({ type: 'mcpRequests.changed', payload: { request: each } })) },
        () => undefined,
      ),
    );

  it('is the card of its call while that is on the screen, else the bar', () => {
    const { rerender } = renderInApp(
      <>
        <RequestBar />
        <CallRequests conversationId="chat" callId="c1" />
      </>,
    );
    arrive(request(FORM, { call }));
    expect(screen.queryByTestId('request-bar')).toBeNull();
    expect(screen.getByText('The server “shop[U+202E]” asks you for input')).toBeTruthy();
    rerender(<RequestBar />);
    expect(screen.getByTestId('request-bar')).toBeTruthy();
    expect(screen.queryByTestId('server-request')).toBeNull();
  });

  it('several wait in a row, and one that its server takes back goes from the dialog', async () => {
    renderInApp(<RequestBar />);
    arrive(request(), request(FORM, { id: 'r2', serverName: 'other' }), request(FORM, { id: 'r3' }));
    expect(screen.getByTestId('request-bar').textContent).toContain('and 2 more');
    press('Answer');
    expect(await screen.findByTestId('request-dialog')).toBeTruthy();
    act(() => useServerRequests.getState().drop('r1'));
    expect(screen.queryByTestId('request-dialog')).toBeNull();
    expect(screen.getByTestId('request-bar').textContent).toContain('other');
  });
});
