import type { ToolPart } from '@shared/contracts/message-types.ts';

/** What a model reads in place of a result, where there is none. English: models understand it best. */
export const toolMessages = {
  denied: 'The user declined this call. Do not repeat it; go on without it, or ask the user what to do.',
  deniedByPolicy: 'This tool was not run: the settings of its server say that it must not be used. Go on without it.',
  cancelled: 'The user cancelled this call before it began.',
  cancelledWhileRunning: 'The user cancelled this call while it was running. It may have had an effect.',
  interrupted: 'This call was interrupted and its result is not known. It may have had an effect.',
  missing: 'There is no result of this call.',
  /** `close`: names of tools that may have been meant. */
  unknownTool: (name: string, close: string[]) => {
    const meant = close.length > 0 ? ` Did you mean ${close.map((one) => JSON.stringify(one)).join(' or ')}?` : '';
    return `The tool was not run: there is no tool named ${JSON.stringify(name.slice(0, 100))}.${meant} Use the tools that you were given.`;
  },
} as const;

/** The text for the model about a call that has no result, from what its part says. */
export function textWithoutResult(part: ToolPart): string {
  if (part.state === 'denied') return part.error?.message ?? toolMessages.denied;
  if (part.error && part.error.code !== INTERRUPTED_CODE) return part.error.message;
  if (part.state === 'cancelled' && !part.error) {
    return part.startedAt === undefined ? toolMessages.cancelled : toolMessages.cancelledWhileRunning;
  }
  return toolMessages.interrupted;
}

/** Code of the error on a call that was open when the app ended without closing it. */
export const INTERRUPTED_CODE = 'interrupted';
/** Code of the error on a call of a tool that the person has denied for good. */
export const DENIED_BY_POLICY = 'denied-by-policy';
