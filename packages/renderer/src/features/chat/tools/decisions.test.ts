import type { ToolDecision } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { isOwnTool, mainArgument, reasonForPerson, refusedBy } from './decisions.ts';

const said = (layer: ToolDecision['layer'], outcome: ToolDecision['outcome']): ToolDecision => ({
  layer,
  outcome,
  reason: `${layer} says so`,
});

describe('refusedBy', () => {
  it.each(['firewall', 'guardian', 'permission'] as const)('names the layer: %s', (layer) => {
    const decisions = [said('firewall', 'allow'), said(layer, 'deny')];
    expect(refusedBy({ state: 'denied', decisions })?.layer).toBe(layer);
  });

  it("is nothing for the person's own refusal, and for a call that ran", () => {
    expect(
      refusedBy({ state: 'denied', decisions: [said('permission', 'ask'), said('person', 'deny')] }),
    ).toBeUndefined();
    expect(refusedBy({ state: 'done', decisions: [said('firewall', 'allow')] })).toBeUndefined();
    expect(refusedBy({ state: 'denied' })).toBeUndefined();
  });
});

describe('mainArgument', () => {
  it('is the path, command or pattern, on one line', () => {
    expect(mainArgument({ command: 'npm test\nnpm run build' })).toBe('npm test');
    expect(mainArgument({ pattern: 'brew', path: 'src' })).toBe('src');
    expect(mainArgument({ todos: [] })).toBeUndefined();
    expect(mainArgument(null)).toBeUndefined();
  });
});

describe('isOwnTool', () => {
  it('holds for the tools of the app, and for one that there is not', () => {
    expect(isOwnTool({ serverId: 'tinyelf', serverName: 'TinyElf' })).toBe(true);
    expect(isOwnTool({})).toBe(true);
    expect(isOwnTool({ serverId: 'a-server', serverName: 'TinyElf' })).toBe(false);
  });
});

it('takes the mark for the model off a reason, and nothing else', () => {
  expect(reasonForPerson('[firewall] Blocked: reading ~/.ssh: keys are off limits.')).toBe(
    'reading ~/.ssh: keys are off limits.',
  );
  expect(reasonForPerson('Nothing [firewall] Blocked: here.')).toBe('Nothing [firewall] Blocked: here.');
});
