import type { FinishReason } from '../../ports/model.ts';

/** `finishReason`; calls are no reason of their own here. */
export function mapStop(reason: string, hasCalls: boolean): FinishReason {
  switch (reason) {
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
