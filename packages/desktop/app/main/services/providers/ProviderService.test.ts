import type { AppEvent } from '@shared/contracts/index.ts';
import { providerViewSchema } from '@shared/contracts/providers.contract.ts';
import { describe, expect, it, vi } from 'vitest';
import { AppError, ModelError } from '../ports/errors.ts';
import type { ModelPort } from '../ports/model.ts';
import type { WireFormat } from './index.ts';
import { ProviderService, type ProviderServiceOptions } from './ProviderService.ts';
import { PROVIDER_PRESETS } from './presets.ts';
import type { ProviderConfig } from './recipe.ts';

const port = (providerId: string): ModelPort => ({ providerId, toolFormat: 'openai', async *stream() {} });

/** A box that seals by wrapping, so that a test sees what was sealed; `broken` makes every value unreadable. */
class TestBox {
  broken = false;
  choose = false;
  reseal = false;
  async seal(plain: string): Promise<string> {
    if (this.choose) throw new AppError('weak-secrets', 'no keyring', { hint: 'choose' });
    return `sealed(${Buffer.from(plain).toString('hex')})`;
  }
  async open(sealed: string, onReseal?: (sealed: string) => void): Promise<string> {
    const hex = /^(?:re)?sealed\((\w*)\)$/.exec(sealed)?.[1];
    if (this.broken || hex === undefined) throw new AppError('secret-unreadable', 'locked', { hint: 'enter it again' });
    if (this.reseal && sealed.startsWith('sealed')) onReseal?.(`re${sealed}`);
    return Buffer.from(hex, 'hex').toString();
  }
}

function setUp(stored?: unknown, more: Partial<ProviderServiceOptions> = {}) {
  const box = new TestBox();
  const state = { stored, fail: false, events: [] as AppEvent[], secrets: [] as string[], skipped: [] as string[] };
  const created: [WireFormat, ProviderConfig][] = [];
  const options: ProviderServiceOptions = {
    document: {
      read: () => state.stored,
      write: (document) => {
        if (state.fail) throw new AppError('store-failed', 'The disk is full.');
        state.stored = JSON.parse(JSON.stringify(document));
      },
    },
    secrets: box,
    fetch: globalThis.fetch,
    events: { emit: (event) => state.events.push(event) },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    createModelPort: (format, config) => {
      created.push([format, config]);
      return port(config.providerId);
    },
    listModels: async () => [{ id: 'm1', name: 'One' }, { id: 'm2' }],
    demo: port('demo'),
    onSecret: (value) => state.secrets.push(value),
    onSkipped: (names) => state.skipped.push(...names),
    ...more,
  };
  return { service: new ProviderService(options), state, box, created, options };
}

const code = (name: string) => expect.objectContaining({ code: name });
const openai = { preset: 'openai', name: 'OpenAI', baseUrl: null, key: 'sk-test-0000' };

describe('ProviderService', () => {
  it('has the demo, always and unchangeable', async () => {
    const { service } = setUp();
    expect(await service.list()).toEqual([
      expect.objectContaining({ id: 'demo', name: 'Demo', format: 'demo', keyState: 'not-needed' }),
    ]);
    expect((await service.modelPort({ providerId: 'demo', modelId: 'demo' })).providerId).toBe('demo');
    await expect(service.remove({ providerId: 'demo' })).rejects.toThrow(code('not-supported'));
    await expect(service.update({ providerId: 'demo', enabled: false })).rejects.toThrow(code('not-supported'));
    await expect(service.refreshModels({ providerId: 'demo' })).rejects.toThrow(code('not-supported'));
  });

  it('knows the usual providers, in the format that each speaks and at its address', () => {
    expect(PROVIDER_PRESETS.map(({ id, format, baseUrl }) => [id, format, baseUrl])).toEqual([
      ['openai', 'openai-responses', 'https://api.openai.com/v1'],
      ['anthropic', 'anthropic', 'https://api.anthropic.com'],
      ['google', 'google', 'https://generativelanguage.googleapis.com'],
      ['ollama', 'openai', 'http://localhost:11434/v1'],
      ['lmstudio', 'openai', 'http://localhost:1234/v1'],
      ['openrouter', 'openai', 'https://openrouter.ai/api/v1'],
      ['deepseek', 'openai', 'https://api.deepseek.com/v1'],
      ['mistral', 'openai', 'https://api.mistral.ai/v1'],
      ['groq', 'openai', 'https://api.groq.com/openai/v1'],
      ['xai', 'openai', 'https://api.x.ai/v1'],
      ['custom', 'openai', null],
    ]);
  });

  it('adds one of every preset, with views that keep the contract', async () => {
    const { service, state } = setUp();
    for (const preset of PROVIDER_PRESETS) {
      const baseUrl = preset.id === 'custom' ? 'http://localhost:8080/v1' : null;
      const view = await service.add({ preset: preset.id, name: preset.name, baseUrl });
      expect(providerViewSchema.parse(view)).toMatchObject({ format: preset.format, enabled: true, models: [] });
      expect(view.keyState).toBe(preset.needsKey ? 'not-set' : 'not-needed');
    }
    expect(await service.list()).toHaveLength(PROVIDER_PRESETS.length + 1);
    expect(state.events).toHaveLength(PROVIDER_PRESETS.length);
    expect(await setUp(state.stored).service.list()).toEqual(await service.list());
  });

  it('stores the key encrypted, shows only that it is set, and hands it to the port', async () => {
    const { service, state, created } = setUp();
    const view = await service.add(openai);
    expect(view.keyState).toBe('set');
    expect(JSON.stringify([view, state.stored, state.events])).not.toContain('sk-test-0000');
    expect(state.secrets).toContain('sk-test-0000');
    const ref = { providerId: view.id, modelId: 'm' };
    const [one, two] = await Promise.all([service.modelPort(ref), service.modelPort(ref)]);
    expect(one).toBe(two);
    expect(created).toEqual([
      ['openai-responses', expect.objectContaining({ baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-test-0000' })],
    ]);
  });

  it('opens a model with its window, where the provider says it', async () => {
    const listed = [{ id: 'large', contextWindow: 200_000 }, { id: 'unknown' }, { id: 'odd', contextWindow: 0 }];
    const { service, created } = setUp(undefined, { listModels: async () => listed });
    const { id: providerId } = await service.add(openai);
    const open = (modelId: string) => service.modelPort({ providerId, modelId });
    expect((await open('large')).contextWindow).toBeUndefined();
    await service.refreshModels({ providerId });
    expect(await open('large')).toMatchObject({ providerId, contextWindow: 200_000, toolFormat: 'openai' });
    for (const modelId of ['unknown', 'odd', 'typed in']) expect((await open(modelId)).contextWindow).toBeUndefined();
    expect(created).toHaveLength(1);
  });

  it('takes the format of a custom one only', async () => {
    const { service } = setUp();
    const custom = { preset: 'custom', baseUrl: 'http://localhost:1/v1', format: 'anthropic' as const };
    expect(await service.add({ ...custom, name: 'a' })).toMatchObject({ format: 'anthropic' });
    expect(await service.add({ ...custom, name: 'b', preset: 'groq' })).toMatchObject({ format: 'openai' });
    await expect(service.add({ ...custom, name: 'c', baseUrl: null })).rejects.toThrow(code('invalid-input'));
    await expect(service.add({ ...custom, name: 'd', preset: 'nope' })).rejects.toThrow(code('not-found'));
  });

  it.each(['https://ann:pw@host.example/v1', 'https://token@host.example'])(
    'refuses the address %s',
    async (baseUrl) => {
      const { service, state } = setUp();
      await expect(service.add({ preset: 'custom', name: 'x', baseUrl })).rejects.toThrow(code('invalid-input'));
      expect(state.stored).toBeUndefined();
    },
  );

  it('keeps names unique regardless of case', async () => {
    const { service } = setUp();
    const { id } = await service.add({ preset: 'ollama', name: 'Café', baseUrl: null });
    for (const name of ['café', 'CAFE\u0301', 'DEMO']) {
      await expect(service.add({ preset: 'ollama', name, baseUrl: null })).rejects.toThrow(code('name-taken'));
    }
    expect((await service.update({ providerId: id, name: 'CAFÉ' })).name).toBe('CAFÉ');
  });

  it('forgets the key with another origin, unless a new one is given', async () => {
    const { service, created } = setUp();
    const { id: providerId } = await service.add(openai);
    const update = (baseUrl: string | null, key?: string | null) => service.update({ providerId, baseUrl, key });
    // The same origin, written out.
    expect((await update('https://api.openai.com/v2')).keyState).toBe('set');
    expect((await update('https://api.openai.com:8443/v1')).keyState).toBe('not-set');
    await expect(service.modelPort({ providerId, modelId: 'm' })).rejects.toThrow(code('key-missing'));
    expect((await update(null)).keyState).toBe('not-set');
    expect((await update('http://evil.example', 'new-key-1')).keyState).toBe('set');
    expect((await update('http://evil.example')).keyState).toBe('set');
    await service.modelPort({ providerId, modelId: 'm' });
    expect(created.map(([, config]) => config.apiKey)).toEqual(['new-key-1']);
    expect((await update('http://evil.example', null)).keyState).toBe('not-set');
  });

  it('never sends a key to an address that was put into the file by hand', async () => {
    const first = setUp();
    const { id: providerId } = await first.service.add(openai);
    const text = JSON.stringify(first.state.stored).replace('"baseUrl":null', '"baseUrl":"http://evil.example"');
    const { service, created } = setUp(JSON.parse(text));
    expect((await service.list())[1]!.keyState).toBe('not-set');
    await expect(service.modelPort({ providerId, modelId: 'm' })).rejects.toThrow(code('key-missing'));
    await expect(service.refreshModels({ providerId })).rejects.toThrow(code('key-origin-changed'));
    expect(created).toEqual([]);
  });

  it('says when a key can’t be opened, keeps it, and uses it when it can', async () => {
    const { service, box, state } = setUp();
    const { id: providerId } = await service.add(openai);
    box.broken = true;
    expect((await service.list())[1]!.keyState).toBe('unreadable');
    await expect(service.modelPort({ providerId, modelId: 'm' })).rejects.toThrow(
      expect.objectContaining({ code: 'key-missing', hint: 'enter it again' }),
    );
    await service.update({ providerId, name: 'Renamed' });
    expect(JSON.stringify(state.stored)).toContain('sealed(');
    box.broken = false;
    expect(await service.modelPort({ providerId, modelId: 'm' })).toBeDefined();
  });

  it('stores a key anew when the system has changed its own', async () => {
    const { service, box, state } = setUp();
    await service.add(openai);
    box.reseal = true;
    expect((await service.list())[1]!.keyState).toBe('set');
    expect(JSON.stringify(state.stored)).toContain('resealed(');
  });

  it('adds nothing when the key can’t be stored', async () => {
    const { service, box, state } = setUp();
    box.choose = true;
    await expect(service.add(openai)).rejects.toThrow(code('weak-secrets'));
    expect(state.stored).toBeUndefined();
    box.choose = false;
    state.fail = true;
    await expect(service.add(openai)).rejects.toThrow(code('store-failed'));
    expect(await service.list()).toHaveLength(1);
    state.fail = false;
    await service.add(openai);
  });

  it('makes a new port after a change, and none for what is off or gone', async () => {
    const { service, created } = setUp();
    const { id: providerId } = await service.add(openai);
    const ref = { providerId, modelId: 'm' };
    await service.modelPort(ref);
    await service.update({ providerId, key: 'sk-test-1111' });
    await service.modelPort(ref);
    expect(created.map(([, config]) => config.apiKey)).toEqual(['sk-test-0000', 'sk-test-1111']);
    await service.update({ providerId, enabled: false });
    await expect(service.modelPort(ref)).rejects.toThrow(code('model-not-found'));
    await service.remove({ providerId });
    await expect(service.modelPort(ref)).rejects.toThrow(ModelError);
    await expect(service.update({ providerId, name: 'x' })).rejects.toThrow(code('not-found'));
  });

  it('stores the models that a provider lists', async () => {
    const { service, state } = setUp();
    const { id: providerId } = await service.add(openai);
    expect((await service.refreshModels({ providerId })).models).toEqual([{ id: 'm1', name: 'One' }, { id: 'm2' }]);
    expect(JSON.stringify(state.stored)).toContain('"m2"');
  });

  it.each([
    [new ModelError('key-refused', 'no'), 'key-refused'],
    [new ModelError('unreachable', 'no'), 'unreachable'],
    [new AppError('not-supported', 'no'), 'not-supported'],
    [new ModelError('overloaded', 'no', { hint: 'later' }), 'unreachable'],
  ])('answers with an error of the contract for %s', async (error, expected) => {
    const listModels = vi.fn().mockRejectedValue(error);
    const { service } = setUp(undefined, { listModels });
    const { id: providerId } = await service.add(openai);
    await expect(service.refreshModels({ providerId })).rejects.toThrow(code(expected));
    const { id } = await service.add({ preset: 'anthropic', name: 'A', baseUrl: null });
    await expect(service.refreshModels({ providerId: id })).rejects.toThrow(code('key-refused'));
  });

  it('stops asking for models when that is wanted, and keeps those that it had', async () => {
    const signals: AbortSignal[] = [];
    const listModels = (_format: unknown, _config: unknown, signal?: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signals.push(signal!);
        signal!.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const { service } = setUp(undefined, { listModels });
    const { id: providerId } = await service.add({ preset: 'ollama', name: 'o', baseUrl: null });
    await service.update({ providerId, models: [{ id: 'kept' }] });
    const first = service.refreshModels({ providerId });
    // The second one takes its place.
    const second = service.refreshModels({ providerId });
    await expect(first).rejects.toThrow(code('cancelled'));
    await vi.waitFor(() => expect(signals.at(-1)?.aborted).toBe(false));
    service.stopRefresh({ providerId });
    await expect(second).rejects.toThrow(code('cancelled'));
    expect((await service.list())[1]?.models).toEqual([{ id: 'kept' }]);
    service.stopRefresh({ providerId });
  });

  it('drops a list that comes after the provider has moved', async () => {
    const answer = Promise.withResolvers<{ id: string }[]>();
    const { service } = setUp(undefined, { listModels: () => answer.promise });
    const { id: providerId } = await service.add({ preset: 'ollama', name: 'o', baseUrl: null });
    const refresh = service.refreshModels({ providerId });
    await service.update({ providerId, baseUrl: 'http://other.example/v1' });
    answer.resolve([{ id: 'old' }]);
    expect((await refresh).models).toEqual([]);
  });

  it('runs changes one after another', async () => {
    const { service, state } = setUp();
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => service.add({ preset: 'ollama', name, baseUrl: null, key: 'k' })),
    );
    expect((await service.list()).map((view) => view.name).slice(1)).toEqual(['a', 'b', 'c', 'd']);
    const clash = await Promise.allSettled(
      ['x', 'X'].map((name) => service.add({ preset: 'ollama', name, baseUrl: null })),
    );
    expect(clash.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((state.stored as { providers: unknown[] }).providers).toHaveLength(5);
  });
});

describe('stored providers that can’t be read', () => {
  const good = { id: 'g', preset: 'ollama', name: 'Good', format: 'openai', baseUrl: null, models: [], enabled: true };

  it.each([
    ['a wrong field', { ...good, id: 'b', name: 'Bad', enabled: 'yes' }, 'Bad'],
    ['an unknown format', { ...good, id: 'b', name: 'Bad', format: 'telepathy' }, 'Bad'],
    ['the id of another', { ...good, name: 'Twin' }, 'Twin'],
    ['the id of the demo', { ...good, id: 'demo', name: 'Not the demo' }, 'Not the demo'],
    ['the format of the demo', { ...good, id: 'b', name: 'Bad', format: 'demo' }, 'Bad'],
    ['no object', 7, '?'],
    ['null', null, '?'],
  ])('%s: is left out, reported and kept', async (_, bad, name) => {
    const { service, state } = setUp({ version: 1, providers: [good, bad], ofANewerApp: 1 });
    expect((await service.list()).map((view) => view.id)).toEqual(['demo', 'g']);
    expect(state.skipped).toEqual([name]);
    await service.add({ preset: 'ollama', name: 'New', baseUrl: null });
    expect(state.stored).toMatchObject({ ofANewerApp: 1, unreadableProviders: [bad] });
    const again = setUp(state.stored);
    expect(await again.service.list()).toHaveLength(3);
    expect(again.state.skipped).toEqual([name]);
  });

  it.each([[{ providers: 'x' }], [{ providers: { a: 1 } }], [[]], [7], [null]])(
    'a document of %j starts empty',
    async (stored) => {
      const { service } = setUp(stored);
      expect(await service.list()).toHaveLength(1);
      await service.add({ preset: 'ollama', name: 'New', baseUrl: null });
    },
  );
});
