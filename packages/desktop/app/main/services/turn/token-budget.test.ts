import { describe, expect, it } from 'vitest';
import {
  assistantRow,
  callsTools,
  partsOf,
  ScriptedModel,
  ScriptedTools,
  says,
  textResult,
  userRow,
} from './__fixtures__/scripted.ts';
import { turnWith } from './__fixtures__/turn.ts';
import type { TurnInput } from './run-turn.ts';
import { tokensOf } from './token-budget.ts';

/** A response with calls uses 15 tokens, one without 12. */
function run(more: Partial<TurnInput>, rows = [userRow('go')]) {
  let n = 0;
  const tools = new ScriptedTools({ echo: () => textResult(`r${n++}`) });
  const model = new ScriptedModel((_request, index) =>
    index < 9 ? callsTools(['mcp__srv__echo', { index }]) : says('x'),
  );
  const turn = turnWith(model, tools, { rows, systemPrompt: () => undefined, clock: Date, ...more });
  return { rows, model, result: turn.run() };
}

describe('token budget', () => {
  it('ends the turn with a question when the conversation has used it up, its calls run', async () => {
    const { rows, model, result } = run({ tokenBudget: 40 });
    expect(await result).toMatchObject({ outcome: 'token-budget' });
    expect(model.requests).toHaveLength(3);
    expect(rows.at(-1)).toMatchObject({ status: 'complete', parts: [{ type: 'tool', state: 'done' }, {}] });
    expect(partsOf(rows.at(-1), 'notice')).toEqual([
      { type: 'notice', notice: 'token-budget', values: { tokens: 45 } },
    ]);
  });

  it('grants another budget to a run that goes on, and counts earlier turns', async () => {
    const { rows, result } = run({ tokenBudget: 40 });
    await result;
    const second = run({ tokenBudget: 40 }, rows);
    expect(await second.result).toMatchObject({ outcome: 'token-budget' });
    expect(second.model.requests).toHaveLength(3);
    expect(partsOf(rows.at(-1), 'notice')).toMatchObject([{ values: { tokens: 90 } }]);
    const third = run({ tokenBudget: 61 }, [...rows.slice(0, 3), userRow('more')]);
    await third.result;
    expect(third.model.requests).toHaveLength(3);
  });

  it('lets an answer without calls be, and asks about rounds where those are used up first', async () => {
    const answer = run({ tokenBudget: 5, model: new ScriptedModel([says('done')]) });
    expect(await answer.result).toMatchObject({ outcome: 'complete' });
    const rounds = run({ tokenBudget: 1000, maxRounds: 2 });
    expect(await rounds.result).toMatchObject({ outcome: 'round-limit' });
    expect(await run({}).result).toMatchObject({ outcome: 'complete' });
  });

  it('counts nothing where a provider says nothing', () => {
    expect(tokensOf([userRow('x'), assistantRow()])).toEqual({ total: 0, sinceAsked: 0 });
  });
});
