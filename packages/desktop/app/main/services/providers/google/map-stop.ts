import type { FinishReason } from '../../ports/model.ts';

/** Gemini wrote something that is neither text nor a call, and threw it away. */
const FAILURES: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'MISSING_THOUGHT_SIGNATURE',
]);

export const isFailure = (reason: string): boolean => FAILURES.has(reason.toUpperCase());

/** `finishReason`; calls are no reason of their own here. */
export function mapStop(reason: string, hasCalls: boolean): FinishReason {
  switch (reason.toUpperCase()) {
    case 'STOP':
      return hasCalls ? 'tool-calls' : 'stop';
    case 'MAX_TOKENS':
      return 'length';
    case 'SAFETY':
    case 'RECITATION':
    case 'BLOCKLIST':
    case 'PROHIBITED_CONTENT':
    case 'SPII':
    case 'IMAGE_SAFETY':
    case 'IMAGE_PROHIBITED_CONTENT':
    case 'IMAGE_RECITATION':
      return 'content-filter';
    default:
      return hasCalls ? 'tool-calls' : 'other';
  }
}
