import type { ProviderPreset, ProviderView } from '@shared/contracts/providers.contract.ts';
import { describe, expect, it } from 'vitest';
import {
  draftOf,
  isInsecure,
  movedFrom,
  newDraft,
  toAddInput,
  toUpdateInput,
  validateProvider,
} from './provider-draft.ts';

const openai: ProviderPreset = {
  id: 'openai',
  name: 'OpenAI',
  format: 'openai-responses',
  baseUrl: 'https://api.openai.com/v1',
  needsKey: true,
  keyUrl: 'https://platform.openai.com/api-keys',
};
const custom: ProviderPreset = {
  id: 'custom',
  name: 'Custom',
  format: 'openai',
  baseUrl: null,
  needsKey: false,
  keyUrl: null,
};
const provider = (values: Partial<ProviderView> = {}): ProviderView => ({
  id: 'p',
  preset: 'openai',
  name: 'OpenAI',
  format: 'openai-responses',
  baseUrl: null,
  models: [],
  enabled: true,
  keyState: 'set',
  ...values,
});

describe('newDraft', () => {
  it('comes with a name that is free', () => {
    expect(newDraft(openai, []).name).toBe('OpenAI');
    expect(newDraft(openai, ['openai', 'OpenAI 2']).name).toBe('OpenAI 3');
    expect(newDraft(custom, []).name).toBe('');
  });
});

describe('what main is sent', () => {
  it('leaves the address of the preset to main, and the format too', () => {
    expect(toAddInput({ ...newDraft(openai, []), key: ' sk ' }, openai)).toEqual({
      preset: 'openai',
      name: 'OpenAI',
      baseUrl: null,
      format: undefined,
      key: 'sk',
    });
    const draft = {
      ...newDraft(custom, []),
      name: 'Mine',
      baseUrl: ' http://localhost:1/v1 ',
      format: 'google' as const,
    };
    expect(toAddInput(draft, custom)).toEqual({
      preset: 'custom',
      name: 'Mine',
      baseUrl: 'http://localhost:1/v1',
      format: 'google',
      key: undefined,
    });
  });

  it('keeps, replaces or forgets the stored key', () => {
    const draft = draftOf(provider(), openai);
    expect(toUpdateInput(draft, provider(), openai)).toMatchObject({ baseUrl: null, key: undefined });
    expect(toUpdateInput({ ...draft, keyChange: 'replace', key: ' new ' }, provider(), openai).key).toBe('new');
    // Nothing was typed: an empty field replaces nothing.
    expect(toUpdateInput({ ...draft, keyChange: 'replace' }, provider(), openai).key).toBeUndefined();
    expect(toUpdateInput({ ...draft, keyChange: 'forget' }, provider(), openai).key).toBeNull();
  });
});

describe('movedFrom', () => {
  const draft = draftOf(provider(), openai);
  it('says where the key was for when the address goes to another origin', () => {
    expect(movedFrom({ ...draft, baseUrl: 'https://proxy.example/v1' }, provider(), openai)).toBe(
      'https://api.openai.com',
    );
    expect(movedFrom({ ...draft, baseUrl: 'http://api.openai.com/v1' }, provider(), openai)).toBe(
      'https://api.openai.com',
    );
  });

  it('says nothing within the origin, for an address that is being typed, or without a stored key', () => {
    expect(movedFrom({ ...draft, baseUrl: 'https://api.openai.com/v2' }, provider(), openai)).toBeUndefined();
    expect(movedFrom({ ...draft, baseUrl: '' }, provider(), openai)).toBeUndefined();
    expect(movedFrom({ ...draft, baseUrl: 'https:' }, provider(), openai)).toBeUndefined();
    const without = provider({ keyState: 'not-set' });
    expect(movedFrom({ ...draft, baseUrl: 'https://proxy.example' }, without, openai)).toBeUndefined();
  });
});

describe('validateProvider', () => {
  const draft = { ...newDraft(custom, []), name: 'Mine', baseUrl: 'http://localhost:1/v1' };
  it.each([
    [{}, {}],
    [{ name: ' ' }, { name: 'nameMissing' }],
    [{ name: 'x'.repeat(129) }, { name: 'nameTooLong' }],
    [{ name: 'TAKEN' }, { name: 'nameTaken' }],
    [{ baseUrl: '' }, { baseUrl: 'urlMissing' }],
    [{ baseUrl: 'localhost:1' }, { baseUrl: 'urlInvalid' }],
    [{ baseUrl: 'https://u:p@example.com' }, { baseUrl: 'urlCredentials' }],
    [{ key: 'k'.repeat(10_001) }, { key: 'tooLong' }],
  ])('of %j finds %j', (values, problems) => {
    expect(validateProvider({ ...draft, ...values }, custom, ['taken'])).toEqual(problems);
  });

  it('takes an empty address where the preset has one', () => {
    expect(validateProvider({ ...newDraft(openai, []), baseUrl: '' }, openai, [])).toEqual({});
  });
});

it.each([
  ['http://example.com/v1', true],
  ['http://192.168.0.4:8080', true],
  ['http://localhost:11434/v1', false],
  ['http://127.0.0.1:1', false],
  ['http://[::1]:1', false],
  ['https://example.com', false],
  ['not an address', false],
])('a key sent to %s travels in the open: %s', (url, insecure) => {
  expect(isInsecure(url)).toBe(insecure);
});
