import type { ToolDecision } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import { mainArgument, refusedBy } from './decisions.ts';

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
