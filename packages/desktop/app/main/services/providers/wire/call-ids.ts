import { createHash, randomUUID } from 'node:crypto';

/** An id for a call whose provider gave none. */
export const makeUpCallId = (): string => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** What a wire takes as the id of a call. */
export interface CallIdRule {
  legal: RegExp;
  /** Length of the letters and digits that stand in for an id that is not legal. */
  length: number;
}

export const CALL_ID_RULES = {
  /** Chat Completions and Responses take 40 characters and more; this is common ground with every server that copies them. */
  common: { legal: /^[\w-]{1,40}$/, length: 24 },
  /** Mistral. */
  nineLetters: { legal: /^[A-Za-z0-9]{9}$/, length: 9 },
} satisfies Record<string, CallIdRule>;

/**
 * The id for the wire of a call that another provider may have named: as it is where the rule allows, otherwise a digest of
 * it, which is the same for the call and its result.
 */
export function wireCallId(callId: string, rule: CallIdRule): string {
  if (rule.legal.test(callId)) return callId;
  const digest = BigInt(`0x${createHash('sha256').update(callId).digest('hex')}`).toString(36);
  return digest.padStart(rule.length, '0').slice(0, rule.length);
}
