import { describe, expect, it } from 'vitest';
import { preset } from '../../../testing/fake-agent.ts';
import { draftOf, freeName, newDraft, type PresetDraft, toSaveInput, validatePreset } from './preset-draft.ts';

const draft = (values: Partial<PresetDraft> = {}): PresetDraft => ({ ...draftOf(preset('mine')), ...values });

describe('a new draft', () => {
  it('has the tools that change nothing', () => {
    const tools = [
      { name: 'Read', changes: false },
      { name: 'Bash', changes: true },
    ];
    expect(newDraft(tools).tools).toEqual(['Read']);
  });
});

describe('validatePreset', () => {
  it.each<[Partial<PresetDraft>, object]>([
    [{}, {}],
    [{ name: '  ' }, { name: 'nameMissing' }],
    [{ name: 'x'.repeat(129) }, { name: 'nameLong' }],
    [{ name: 'coder' }, { name: 'nameTaken' }],
    [{ description: 'x'.repeat(1001) }, { description: 'descriptionLong' }],
    [{ systemPrompt: 'x'.repeat(100_001) }, { systemPrompt: 'promptLong' }],
    [{ maxRounds: '0' }, { maxRounds: 'rounds' }],
    [{ maxRounds: '1001' }, { maxRounds: 'rounds' }],
    [{ maxRounds: '5.5x' }, { maxRounds: 'rounds' }],
    [{ tokenBudget: '999' }, { tokenBudget: 'budget' }],
    [{ tokenBudget: '-5000' }, { tokenBudget: 'budget' }],
    [{ tokenBudget: ' ' }, {}],
    [{ tokenBudget: '1,000,000' }, {}],
  ])('%o: %o', (values, problems) => {
    expect(validatePreset(draft(values), ['Coder'])).toEqual(problems);
  });
});

describe('toSaveInput', () => {
  it('gives back what it began with', () => {
    const mine = preset('mine', { tokenBudget: 20_000, servers: ['memory'] });
    const { shipped: _, ...saved } = mine;
    expect(toSaveInput(draftOf(mine), 'mine')).toEqual(saved);
  });

  it('reads numbers as people write them, and no number as no limit', () => {
    const input = toSaveInput(draft({ name: ' Tea ', maxRounds: ' 1 000 ', tokenBudget: '' }), undefined);
    expect(input).toMatchObject({ name: 'Tea', maxRounds: 1000, tokenBudget: null });
    expect(input).not.toHaveProperty('id');
    expect(toSaveInput(draft({ tokenBudget: '2.500.000' }), undefined).tokenBudget).toBe(2_500_000);
  });
});

describe('freeName', () => {
  it('counts up past those that are taken', () => {
    expect(freeName('Copy of Coder', [])).toBe('Copy of Coder');
    expect(freeName('Copy of Coder', ['copy of coder', 'Copy of Coder 2'])).toBe('Copy of Coder 3');
  });
});
