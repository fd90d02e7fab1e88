import type { ProviderView } from '@shared/contracts/providers.contract.ts';
import { describe, expect, it } from 'vitest';
import { demoProvider } from '../testing/fake-api.ts';
import { defaultModel, modelState } from './providers.ts';

const provider = (values: Partial<ProviderView>): ProviderView => ({
  ...demoProvider,
  id: 'p',
  format: 'openai',
  models: [{ id: 'm' }],
  keyState: 'set',
  ...values,
});
const ref = { providerId: 'p', modelId: 'm' };

describe('modelState', () => {
  it.each([
    ['ready', provider({})],
    ['off', provider({ enabled: false })],
    ['no-key', provider({ keyState: 'not-set' })],
    ['key-unreadable', provider({ keyState: 'unreadable' })],
    ['ready', provider({ keyState: 'not-needed' })],
    ['gone', provider({ id: 'another' })],
  ])('is %s', (kind, known) => {
    expect(modelState(ref, [known]).kind).toBe(kind);
  });

  it('takes a model that is not listed: it may have been typed in', () => {
    expect(modelState({ providerId: 'p', modelId: 'mine' }, [provider({})])).toMatchObject({
      kind: 'ready',
      model: { id: 'mine' },
    });
  });

  it('is none without a choice', () => {
    expect(modelState(null, []).kind).toBe('none');
  });
});

describe('defaultModel', () => {
  it('is the last one used while it works', () => {
    expect(defaultModel(ref, [demoProvider, provider({})])).toEqual(ref);
  });

  it('is the first that works when the last one used does not', () => {
    const demo = { providerId: 'demo', modelId: 'demo' };
    expect(defaultModel(ref, [provider({ keyState: 'not-set' }), demoProvider])).toEqual(demo);
    expect(defaultModel(null, [provider({ models: [] }), demoProvider])).toEqual(demo);
  });

  it('is null when none works', () => {
    expect(defaultModel(null, [provider({ enabled: false })])).toBeNull();
  });
});
