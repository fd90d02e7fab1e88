import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileChange } from '@shared/contracts/agent-types.ts';
import type { AppEvent } from '@shared/contracts/index.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore, temporaryFolder } from '../conversations/test-support.ts';
import { AppError } from '../ports/errors.ts';
import { agentRun, preset, tool } from './__fixtures__/runs.ts';
import { AgentService } from './AgentService.ts';
import { TinyElfToolRegistryBuilder } from './engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import type { ITool } from './engine/tinyelf/tools/ITool.ts';
import type { PresetStore } from './PresetStore.ts';

const model = { providerId: 'p', modelId: 'm' };
const code = (expected: string) => expect.objectContaining({ code: expected });
const change: FileChange = {
  id: 'x',
  callId: 'k',
  path: 'a.txt',
  kind: 'edited',
  added: 1,
  removed: 0,
  at: 1,
  undone: false,
};

describe('AgentService', () => {
  let temp: ReturnType<typeof temporaryFolder>;
  let store: ReturnType<typeof openStore>['store'];
  let events: AppEvent[];
  const messages = { chatInSession: vi.fn(), say: vi.fn(), liveMessages: vi.fn((): Message[] => []) };
  const changes = { list: vi.fn(() => [change]), diff: vi.fn(() => '@@'), undo: vi.fn(() => change) };
  const onModeChanged = vi.fn();
  const preview = vi.fn<NonNullable<ITool['preview']>>();
  let service: AgentService;
  const folder = (name: string) => {
    const path = join(temp.folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };

  beforeEach(() => {
    vi.resetAllMocks();
    changes.list.mockReturnValue([change]);
    changes.diff.mockReturnValue('@@');
    changes.undo.mockReturnValue({ ...change, undone: true });
    messages.liveMessages.mockReturnValue([]);
    temp = temporaryFolder();
    ({ store } = openStore(join(temp.folder, 'c.db')));
    events = [];
    const presets = {
      list: () => [preset()],
      get: (id: string) => {
        if (id !== 'p') throw new AppError('not-found', 'Gone.');
        return preset();
      },
    };
    service = new AgentService({
      store,
      presets: presets as unknown as PresetStore,
      messages,
      changes,
      events: { emit: (event) => events.push(event) },
      builder: new TinyElfToolRegistryBuilder([
        () => [tool('Read', { risk: 'safe' }), tool('Edit', { risk: 'edit', preview })],
        () => [tool('Bash')],
      ]),
      onModeChanged,
    });
  });
  afterEach(() => {
    store.close();
    temp[Symbol.dispose]();
  });

  const start = (more: Partial<Parameters<AgentService['start']>[0]> = {}) =>
    service.start({ presetId: 'p', workspace: folder('w'), goal: 'Fix the bug', model, mode: 'plan', ...more });

  it('makes a run and begins it with the goal', async () => {
    symlinkSync(folder('real'), join(temp.folder, 'link'));
    const run = await start({ workspace: join(temp.folder, 'link') });
    const agent = { preset: preset(), workspace: join(temp.folder, 'real'), goal: 'Fix the bug', mode: 'plan' };
    expect(run).toMatchObject({ model, agent });
    expect(store.get(run.id)).toEqual(run);
    expect(messages.chatInSession).toHaveBeenCalledExactlyOnceWith(run.id, { text: 'Fix the bug', model });
    expect(events).toMatchObject([{ type: 'conversations.changed', payload: { conversation: { id: run.id, agent } } }]);
  });

  it('lists the beginning of a long goal, and begins with the whole of it', async () => {
    const goal = '🦊'.repeat(10_000);
    const run = await start({ goal });
    expect(run.agent?.goal).toBe('🦊'.repeat(5000));
    expect(messages.chatInSession).toHaveBeenCalledWith(run.id, { text: goal, model });
  });

  it('makes no run without a preset, a folder or a model', async () => {
    const file = join(temp.folder, 'file');
    writeFileSync(file, '');
    await expect(start({ presetId: 'gone' })).rejects.toEqual(code('not-found'));
    for (const workspace of [file, join(temp.folder, 'nowhere'), 'w', '.', '/a\0b']) {
      await expect(start({ workspace })).rejects.toEqual(code('workspace-missing'));
    }
    for (const workspace of ['/', dirname(homedir())]) {
      await expect(start({ workspace })).rejects.toEqual(code('workspace-too-wide'));
    }
    expect(events).toEqual([]);
    messages.chatInSession.mockRejectedValue(new AppError('no-model', 'Gone.'));
    await expect(start()).rejects.toEqual(code('no-model'));
    expect(store.list()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(['conversations.changed', 'conversations.removed']);
  });

  it('changes the mode of a run, stores and shows it, and decides again', async () => {
    const { id } = await start();
    const changed = service.setMode(id, 'bypass');
    expect(changed.agent).toMatchObject({ mode: 'bypass', workspace: join(temp.folder, 'w') });
    expect(store.get(id)).toEqual(changed);
    expect(onModeChanged).toHaveBeenCalledExactlyOnceWith(id);
    expect(events.at(-1)).toEqual({ type: 'conversations.changed', payload: { conversation: changed } });
  });

  it('refuses what is for runs where there is only a chat', () => {
    const { id } = store.create({ model: null });
    for (const conversationId of [id, 'gone']) {
      expect(() => service.setMode(conversationId, 'ask')).toThrow(code('not-found'));
      expect(() => service.say(conversationId, 'x')).toThrow(code('not-found'));
      expect(() => service.changes(conversationId)).toThrow(code('not-found'));
      expect(() => service.diff(conversationId, 'x')).toThrow(code('not-found'));
      expect(() => service.undo(conversationId, 'x', false)).toThrow(code('not-found'));
    }
    expect(messages.say).not.toHaveBeenCalled();
    expect(changes.undo).not.toHaveBeenCalled();
  });

  it('passes on what is said, and what is asked of changes', async () => {
    const { id } = await start();
    service.say(id, 'Also the tests');
    expect(messages.say).toHaveBeenCalledExactlyOnceWith(id, 'Also the tests');
    expect(await service.changes(id)).toEqual([change]);
    expect(await service.diff(id, 'x')).toBe('@@');
    expect(await service.undo(id, 'x', true)).toMatchObject({ undone: true });
    expect(changes.undo).toHaveBeenCalledExactlyOnceWith(id, 'x', { force: true });
  });

  it('says what a call that waits would change, whole', async () => {
    const { id } = await start();
    const asks = (callId: string, wireName: string, args: Record<string, unknown> | null) =>
      ({ type: 'tool', callId, wireName, args, state: 'awaiting-approval' }) as const;
    const parts = [asks('k1', 'Edit', { path: 'a' }), asks('k2', 'Read', {}), asks('k3', 'gone', null)];
    const row = { id: 'm', conversationId: id, parentId: null, role: 'assistant', status: 'streaming', createdAt: 1 };
    messages.liveMessages.mockReturnValue([{ ...row, parts } as Message]);
    preview.mockResolvedValue({ kind: 'diff', path: 'a', diff: 'long', added: 1, removed: 0 });
    expect(await service.preview(id, 'k1')).toBe('long');
    expect(preview).toHaveBeenCalledExactlyOnceWith({ path: 'a' });
    for (const callId of ['k2', 'k3', 'k4']) {
      await expect(service.preview(id, callId)).rejects.toEqual(code('not-found'));
    }
  });

  it('knows the workspaces used last that still exist, ten at most', async () => {
    for (let n = 0; n < 12; n++) store.create({ model: null, agent: agentRun(folder(`w${n}`)) });
    store.create({ model: null, agent: agentRun(folder('w3')) });
    store.create({ model: null });
    rmSync(join(temp.folder, 'w11'), { recursive: true });
    const expected = [3, 10, 9, 8, 7, 6, 5, 4, 2, 1].map((n) => join(temp.folder, `w${n}`));
    expect(await service.recentWorkspaces()).toEqual(expected);
  });

  it('lists the built-in tools, and which of them may change something', async () => {
    expect(await service.tools()).toEqual([
      { name: 'Read', description: 'Does Read', changes: false },
      { name: 'Edit', description: 'Does Edit', changes: true },
      { name: 'Bash', description: 'Does Bash', changes: true },
    ]);
    expect(service.presets()).toEqual([preset()]);
  });
});
