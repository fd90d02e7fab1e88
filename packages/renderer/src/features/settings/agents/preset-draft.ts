import type { AgentContract } from '@shared/contracts/agent.contract.ts';
import type { AgentPreset } from '@shared/contracts/agent-types.ts';
import type { CallInput } from '@shared/contracts/contract.ts';

/** A preset while it is entered: its numbers as they were typed. */
export interface PresetDraft extends Omit<AgentPreset, 'id' | 'shipped' | 'maxRounds' | 'tokenBudget'> {
  maxRounds: string;
  /** Empty: no limit. */
  tokenBudget: string;
}

export type PresetProblem =
  | 'nameMissing'
  | 'nameLong'
  | 'nameTaken'
  | 'descriptionLong'
  | 'promptLong'
  | 'rounds'
  | 'budget';
export type PresetProblems = Partial<
  Record<'name' | 'description' | 'systemPrompt' | 'maxRounds' | 'tokenBudget', PresetProblem>
>;

const MAX_NAME = 128;
const MAX_DESCRIPTION = 1000;
const MAX_PROMPT = 100_000;
const ROUNDS = { min: 1, max: 1000 };
const BUDGET = { min: 1000, max: 1_000_000_000 };
const DEFAULT_ROUNDS = 50;

/** A new preset: it only reads, until more is ticked. */
export const newDraft = (tools: readonly { name: string; changes: boolean }[]): PresetDraft => ({
  name: '',
  description: '',
  systemPrompt: '',
  model: null,
  tools: tools.filter(({ changes }) => !changes).map(({ name }) => name),
  mcpTools: true,
  servers: [],
  mode: 'ask',
  guardian: 'off',
  maxRounds: String(DEFAULT_ROUNDS),
  tokenBudget: '',
});

export function draftOf({ id: _, shipped: __, ...preset }: AgentPreset): PresetDraft {
  return {
    ...preset,
    maxRounds: String(preset.maxRounds),
    tokenBudget: preset.tokenBudget === null ? '' : String(preset.tokenBudget),
  };
}

/** What is wrong with a draft, by field. `names`: those of the other presets. */
export function validatePreset(draft: PresetDraft, names: readonly string[]): PresetProblems {
  const name = draft.name.trim();
  const budget = draft.tokenBudget.trim();
  const same = (other: string) => other.toLocaleLowerCase() === name.toLocaleLowerCase();
  const problems: PresetProblems = {};
  if (name === '') problems.name = 'nameMissing';
  else if (name.length > MAX_NAME) problems.name = 'nameLong';
  else if (names.some(same)) problems.name = 'nameTaken';
  if (draft.description.trim().length > MAX_DESCRIPTION) problems.description = 'descriptionLong';
  if (draft.systemPrompt.length > MAX_PROMPT) problems.systemPrompt = 'promptLong';
  if (wholeNumber(draft.maxRounds, ROUNDS) === null) problems.maxRounds = 'rounds';
  if (budget !== '' && wholeNumber(budget, BUDGET) === null) problems.tokenBudget = 'budget';
  return problems;
}

/** A draft without problems, as main takes it. */
export function toSaveInput(draft: PresetDraft, id: string | undefined): CallInput<AgentContract, 'savePreset'> {
  const budget = draft.tokenBudget.trim();
  return {
    ...draft,
    ...(id === undefined ? {} : { id }),
    name: draft.name.trim(),
    description: draft.description.trim(),
    maxRounds: wholeNumber(draft.maxRounds, ROUNDS) ?? DEFAULT_ROUNDS,
    tokenBudget: budget === '' ? null : wholeNumber(budget, BUDGET),
  };
}

/** A name for a copy that no other preset has. */
export function freeName(wanted: string, names: readonly string[]): string {
  const base = wanted.slice(0, MAX_NAME - 4);
  const taken = new Set(names.map((name) => name.toLocaleLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base} ${count}`;
    if (!taken.has(name.toLocaleLowerCase())) return name;
  }
}

/** The number that was typed, with or without separators between thousands; null where it is none within the range. */
function wholeNumber(typed: string, { min, max }: { min: number; max: number }): number | null {
  const digits = typed.replace(/[\s,._’']/gu, '');
  if (!/^\d{1,12}$/.test(digits)) return null;
  const value = Number(digits);
  return value >= min && value <= max ? value : null;
}
