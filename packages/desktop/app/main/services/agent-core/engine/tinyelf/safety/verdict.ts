/** What the firewall goes by when it says no. */
export type FirewallRule =
  | 'app-data'
  | 'credentials'
  | 'other-home'
  | 'system'
  | 'outside-workspace'
  | 'link'
  | 'invalid-path';

/** What the firewall thinks of a call, or of a part of one. */
export interface Verdict {
  decision: 'allow' | 'ask' | 'deny';
  /** With `deny` only. */
  deniedBy?: FirewallRule;
  /** A sentence, without the layer's name. Absent for `allow`. */
  reason?: string;
}

export const ALLOWED: Verdict = { decision: 'allow' };
export const ask = (reason: string): Verdict => ({ decision: 'ask', reason });
export const deny = (deniedBy: FirewallRule, reason: string): Verdict => ({ decision: 'deny', deniedBy, reason });

/** As many reasons as a person reads before they answer. */
const REASONS = 3;

/** One verdict for all: a denial before a question before a yes. Questions keep their reasons, three at most. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const denied = verdicts.find((verdict) => verdict.decision === 'deny');
  if (denied) return denied;
  const reasons = new Set(verdicts.flatMap(({ decision, reason }) => (decision === 'ask' && reason ? [reason] : [])));
  return reasons.size > 0 ? ask([...reasons].slice(0, REASONS).join(' ')) : ALLOWED;
}
