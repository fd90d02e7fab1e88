import type { Message, MessagePart } from '@shared/contracts/message-types.ts';

/**
 * A message as the renderer may see it: without what only a provider can read. It is a copy, so that it stays as it is while
 * the turn goes on writing the message.
 */
export const toView = (message: Message): Message => ({ ...message, parts: message.parts.map(toPartView) });

/** The same for one part. */
export function toPartView<Part extends MessagePart>(part: Part): Part {
  const view = { ...part };
  if ('providerData' in view) delete view.providerData;
  return view;
}
