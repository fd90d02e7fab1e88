// @vitest-environment happy-dom
import type { ServerCost, ToolCosts, ToolSetting } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useProviders } from '../../../../stores/providers.ts';
import { useToasts } from '../../../../stores/toasts.ts';
import { toolsMayHaveChanged } from '../../../../stores/tool-changes.ts';
import { demoProvider, type FakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../../testing/set-up.tsx';
import { ServerList } from '../list/ServerList.tsx';
import { ServerPage } from '../page/ServerPage.tsx';
import { statusOf, stdioServer } from '../test-support.ts';
import { formatTokens } from './CostNote.tsx';

const tool = (name: string): MCPTool => ({
  id: `mcp__one__${name}`,
  serverId: 'one',
  serverName: 'one',
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
});
const setting = (name: string, values: Partial<ToolSetting> = {}): ToolSetting => ({
  name,
  enabled: true,
  policy: 'ask',
  allowedBefore: false,
  tokens: 100,
  renamed: false,
  warnings: [],
  ...values,
});

let fake: FakeApi;
let settings: ToolSetting[];
const costOf = (serverId: string, values: Partial<ServerCost> = {}): ServerCost => ({
  ...{ serverId, tokens: 0, toolCount: 0, offCount: 0, changedCount: 0, rejectedCount: 0 },
  ...values,
});

let costs: ToolCosts;
const user = userEvent.setup();
const status = statusOf(stdioServer(), { status: 'ready', toolCount: 3 });

beforeEach(async () => {
  fake = await setUp();
  useProviders.setState({ providers: [demoProvider] });
  settings = [setting('a'), setting('b'), setting('c')];
  costs = { tokens: 0, toolCount: 0, maxTools: 128, servers: [] };
  fake.on('mcp.tools', () => ({ tools: settings.map(({ name }) => tool(name)), rejected: [] }));
  fake.on('mcpTools.overview', () => settings);
  fake.on('mcpTools.costs', () => costs);
});

describe('the tools of a server', () => {
  const openPage = async () => {
    renderInApp(<ServerPage status={status} tab="tools" go={vi.fn()} />);
    await screen.findByTestId('offered-tools');
  };
  const row = (name: string) => screen.getAllByTestId('tool-row').find((each) => each.textContent?.startsWith(name))!;

  it('can be switched off, and what is offered is counted', async () => {
    await openPage();
    expect(screen.getByTestId('offered-tools').textContent).toMatch(/^3 tools offered, about 300 tokens/);
    await user.click(screen.getByRole('switch', { name: 'b: offer it to models' }));
    expect(fake.calls).toContainEqual(['mcpTools.setEnabled', { serverId: 'one', toolName: 'b', enabled: false }]);
    settings = [setting('a'), setting('b', { enabled: false }), setting('c')];
    act(toolsMayHaveChanged);
    await waitFor(() =>
      expect(screen.getByTestId('offered-tools').textContent).toMatch(
        /^2 tools offered, about 200 .* 1 is switched off/,
      ),
    );
    expect(within(row('b')).getByText('Not offered')).toBeTruthy();
  });

  it('have a policy, which is given for what is shown, and can be reset together', async () => {
    await openPage();
    await user.click(within(row('a')).getByRole('button', { name: /^a/ }));
    await user.click(within(row('a')).getByRole('radio', { name: 'Allow' }));
    const shown = { title: undefined, description: 'Does a.', inputSchema: { type: 'object' }, annotations: undefined };
    expect(fake.calls).toContainEqual([
      'mcpTools.setPolicy',
      { serverId: 'one', toolName: 'a', policy: 'allow', shown },
    ]);
    settings = [setting('a', { policy: 'deny' }), setting('b', { allowedBefore: true }), setting('c')];
    act(toolsMayHaveChanged);
    await within(row('a')).findByText('Never runs');
    expect(within(row('b')).getByText('Changed, asks again')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Ask for every tool again' }));
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Reset' }));
    expect(fake.calls).toContainEqual(['mcpTools.resetPolicies', { serverId: 'one' }]);
  });

  it('say why a policy could not be set', async () => {
    fake.on('mcpTools.setPolicy', () => {
      throw { code: 'tool-changed', message: 'The tool “a” has just been changed by its server.' };
    });
    await openPage();
    await user.click(within(row('a')).getByRole('button', { name: /^a/ }));
    await user.click(within(row('a')).getByRole('radio', { name: 'Allow' }));
    await waitFor(() => expect(useToasts.getState().toasts).toHaveLength(1));
  });

  it('come with what the provider will cut or refuse', async () => {
    settings = [setting('a'), setting('b')];
    costs = {
      tokens: 90_000,
      toolCount: 140,
      maxTools: 128,
      servers: [costOf('one', { toolCount: 2, changedCount: 1, rejectedCount: 2 })],
    };
    await openPage();
    expect((await screen.findByTestId('tool-problems')).textContent).toBe(
      '2 tools can’t be used. 1 tool has another name or a shorter schema for this model.',
    );
    expect(screen.getByTestId('too-many-tools').textContent).toContain('12 of 140');
  });

  it('carry remarks where the model can’t be told everything', async () => {
    settings = [setting('a', { renamed: true, warnings: ['“x” is left out.'] }), setting('b'), setting('c')];
    await openPage();
    expect(within(row('a')).getByText('2 remarks')).toBeTruthy();
    await user.click(within(row('a')).getByRole('button', { name: /^a/ }));
    expect(within(row('a')).getByText(/had to be changed: models call it mcp__one__a/)).toBeTruthy();
    expect(within(row('a')).getByText('“x” is left out.')).toBeTruthy();
  });
});

describe('the list of servers', () => {
  it('says what the tools of each and of all cost, for the chosen model', async () => {
    costs = {
      tokens: 4321,
      toolCount: 3,
      maxTools: 128,
      servers: [costOf('one', { tokens: 4321, toolCount: 3 })],
    };
    renderInApp(<ServerList servers={[status]} page={{ name: 'list' }} go={vi.fn()} />);
    const note = await screen.findByTestId('tool-costs');
    expect(note.textContent).toMatch(/^3 tools are offered to models: about 4,300 tokens/);
    expect(screen.getByTestId('server-row').textContent).toContain('about 4,300 tokens');
    expect(screen.queryByTestId('too-many-tools')).toBeNull();
    expect(fake.calls).toContainEqual(['mcpTools.costs', { format: 'openai' }]);
  });

  it('says of which servers tools are changed or refused', async () => {
    costs = { tokens: 0, toolCount: 0, maxTools: 128, servers: [costOf('one', { rejectedCount: 1 })] };
    renderInApp(<ServerList servers={[status]} page={{ name: 'list' }} go={vi.fn()} />);
    expect((await screen.findByTestId('tool-problems')).textContent).toBe('1 tool can’t be used.');
  });

  it('warns of more tools than the provider takes', async () => {
    costs = { tokens: 90_000, toolCount: 140, maxTools: 128, servers: [] };
    renderInApp(<ServerList servers={[status]} page={{ name: 'list' }} go={vi.fn()} />);
    expect((await screen.findByTestId('too-many-tools')).textContent).toMatch(
      /at most 128 tools.* 12 of 140 are left out/,
    );
  });
});

it('an estimate claims no more than two figures', () => {
  expect([0, 7, 52, 186, 3456, 98_765, 1_234_567].map(formatTokens)).toEqual([
    '0',
    '7',
    '52',
    '190',
    '3,500',
    '99,000',
    '1,200,000',
  ]);
});
