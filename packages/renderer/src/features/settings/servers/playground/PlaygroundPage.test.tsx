// @vitest-environment happy-dom
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useServers } from '../../../../stores/servers.ts';
import { useToolRuns } from '../../../../stores/tool-runs.ts';
import type { FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { forgetAllKept } from '../../shared/kept-state.ts';
import { statusOf, stdioServer } from '../test-support.ts';
import { PlaygroundPage } from './PlaygroundPage.tsx';

const makeTool = (values: Partial<MCPTool> = {}): MCPTool => ({
  id: 'mcp__one__send',
  serverId: 'one',
  serverName: 'one',
  name: 'send',
  description: 'Sends it.',
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string', description: 'Who gets it' },
      times: { type: 'integer', default: 2 },
      loud: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      place: { type: 'object', properties: { city: { type: 'string' } } },
      more: {},
    },
    required: ['to'],
  },
  ...values,
});

let fake: FakeApi;
let tool: MCPTool;
const user = userEvent.setup();
const open = () => {
  cleanup();
  const status = statusOf(stdioServer(), { status: 'ready', toolCount: 1 });
  renderInApp(<PlaygroundPage status={status} toolName="send" go={vi.fn()} />);
  return screen.findByRole('region', { name: 'Arguments' });
};
const checks = () => fake.calls.filter(([call]) => call === 'mcpTools.check').length;
const runs = () => fake.calls.filter(([call]) => call === 'mcpTools.run').map(([, input]) => input);
const answer = (text: string) => ({
  result: { isError: false, content: [{ type: 'text', text }] },
  forModel: { text: `model: ${text}`, imageCount: 0 },
  ms: 5,
});

beforeEach(async () => {
  forgetAllKept();
  fake = await setUp();
  tool = makeTool();
  fake.on('mcp.tools', () => ({ tools: [tool], rejected: [] }));
  fake.on('mcpTools.run', () => answer('sent'));
});

describe('the form', () => {
  it('is made from the schema, with the defaults and what is required', async () => {
    await open();
    expect(screen.getByRole('textbox', { name: 'to' }).getAttribute('aria-describedby')).toBeTruthy();
    expect(screen.getByText('required')).toBeTruthy();
    expect(screen.getByText('Who gets it')).toBeTruthy();
    await user.type(screen.getByRole('textbox', { name: 'to' }), 'ada');
    await user.click(screen.getByRole('button', { name: 'Add an entry to tags' }));
    await user.type(screen.getByRole('textbox', { name: 'tags, entry 1' }), 'x');
    await user.type(screen.getByRole('textbox', { name: 'city' }), 'Turin');
    await user.click(screen.getByRole('textbox', { name: 'more' }));
    await user.paste('[1, 2]');
    await user.click(screen.getByRole('button', { name: 'Run' }));
    expect(runs()).toMatchObject([
      { toolName: 'send', args: { to: 'ada', times: 2, tags: ['x'], place: { city: 'Turin' }, more: [1, 2] } },
    ]);
  });

  it('says when JSON in a field can’t be read, and neither runs nor switches until it can', async () => {
    await open();
    await user.click(screen.getByRole('textbox', { name: 'more' }));
    await user.paste('{oops');
    expect(screen.getByText('This is not JSON.')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Run' }).disabled).toBe(true);
    await user.click(screen.getByRole('radio', { name: 'JSON' }));
    expect(screen.getByText('Correct the JSON first: more.')).toBeTruthy();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'more' }).value).toBe('{oops');
  });

  it('keeps what was typed over a look elsewhere, a failure and a change of the list', async () => {
    fake.on('mcpTools.run', () => {
      throw { code: 'call-lost', message: 'The server stopped.', hint: 'Its log may say why.' };
    });
    await open();
    await user.type(screen.getByRole('textbox', { name: 'to' }), 'ada');
    await user.click(screen.getByRole('button', { name: 'Run' }));
    await screen.findByText('The server stopped.');
    const to = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'to' }).value;
    expect(to()).toBe('ada');
    tool = makeTool({ inputSchema: { type: 'object', properties: { to: { type: 'string' } } } });
    act(() => useServers.getState().forgetTools('one'));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'city' })).toBeNull());
    expect(to()).toBe('ada');
    await open();
    expect(to()).toBe('ada');
    expect(screen.getByText('The server stopped.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(to()).toBe('');
  });

  it('gives way to JSON for arguments that no form can show', async () => {
    tool = makeTool({ inputSchema: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] } });
    await open();
    expect(screen.getByText('These arguments can only be entered as JSON.')).toBeTruthy();
    const json = screen.getByRole('textbox', { name: 'JSON' });
    await user.clear(json);
    await user.paste('{"a": 1');
    expect(screen.getByText(/This is not a JSON object/)).toBeTruthy();
    await user.paste('}');
    await user.click(screen.getByRole('button', { name: 'Run' }));
    expect(runs()).toMatchObject([{ args: { a: 1 } }]);
  });
});

it('shows what is wrong with what was entered, what is missing once Run was pressed, and runs all the same', async () => {
  fake.on('mcpTools.check', () => [
    { text: '“times” must be a whole number.', missing: false },
    { text: '“to” is missing.', missing: true },
  ]);
  await open();
  await waitFor(() => expect(checks()).toBe(1));
  await act(() => new Promise((done) => setTimeout(done)));
  expect(screen.queryByTestId('argument-problems')).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'times' }), '.5');
  await screen.findByText('“times” must be a whole number.');
  expect(screen.queryByText('“to” is missing.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Run' }));
  expect(screen.getByText('“to” is missing.')).toBeTruthy();
  expect(runs()).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.queryByTestId('argument-problems')).toBeNull();
});

it('asks before it runs what can destroy something, and for nothing else', async () => {
  tool = makeTool({ annotations: { destructiveHint: true, readOnlyHint: true } });
  await open();
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  expect(runs()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Run' }));
  expect(runs()).toHaveLength(1);
});

describe('a run', () => {
  it('shows its progress, can be cancelled, and says so', async () => {
    let cancelled = () => {};
    const over = new Promise<never>((_resolve, reject) => {
      cancelled = () => reject({ code: 'cancelled', message: 'The call was cancelled.' });
    });
    fake.on('mcpTools.run', () => over);
    fake.on('mcpTools.cancel', () => cancelled());
    await open();
    await user.click(screen.getByRole('button', { name: 'Run' }));
    const { runId } = runs()[0] as { runId: string };
    act(() => useToolRuns.getState().setProgress('another', { progress: 9, message: 'not ours' }));
    act(() => useToolRuns.getState().setProgress(runId, { progress: 1, total: 4, message: 'a quarter' }));
    expect(screen.getByText('a quarter')).toBeTruthy();
    expect(screen.queryByText('not ours')).toBeNull();
    // The button that started it stops it now, and has kept the focus.
    expect(screen.queryByRole('button', { name: 'Run' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stop' }));
    // It goes on while one looks elsewhere.
    await open();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(fake.calls).toContainEqual(['mcpTools.cancel', { runId }]);
    await screen.findByText(/^Stopped\./);
    act(() => useToolRuns.getState().setProgress(runId, { progress: 2, message: 'too late' }));
    expect(screen.queryByText('too late')).toBeNull();
  });

  it('ends in a result as a person and as a model sees it, with its warnings, to be copied', async () => {
    const result = { ...answer('sent').result, warnings: ['Not what the tool promises: no.'] };
    fake.on('mcpTools.run', () => ({ result, forModel: { text: 'model: sent', imageCount: 2 }, ms: 1234 }));
    await open();
    await user.click(screen.getByRole('button', { name: 'Run' }));
    const outcome = await screen.findByRole('region', { name: 'Result' });
    expect(within(outcome).getByText('sent')).toBeTruthy();
    expect(within(outcome).getByText('Not what the tool promises: no.')).toBeTruthy();
    expect(within(outcome).getByText(/^Took 1\.2/)).toBeTruthy();
    await user.click(within(outcome).getByRole('button', { name: 'Copy as JSON' }));
    await waitFor(() => expect(fake.calls).toContainEqual(['app.copyText', { text: JSON.stringify(result, null, 2) }]));
    await user.click(within(outcome).getByRole('radio', { name: 'As the model reads it' }));
    expect(within(outcome).getByText('model: sent')).toBeTruthy();
    expect(within(outcome).getByText('and 2 pictures')).toBeTruthy();
  });
});
