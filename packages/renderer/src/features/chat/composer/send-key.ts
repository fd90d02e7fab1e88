import type { KeyboardEvent } from 'react';

/** Whether a key sends what was written, by the person's setting; Enter of an input method takes its suggestion instead. */
export function isSendKey(event: KeyboardEvent, sendWithModifier: boolean): boolean {
  // keyCode 229 is how some input methods say so.
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === 229) return false;
  const withModifier = event.ctrlKey || event.metaKey;
  return sendWithModifier ? withModifier : !event.shiftKey && !event.altKey;
}
