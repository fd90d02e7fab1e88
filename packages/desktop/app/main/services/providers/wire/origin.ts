import type { ModelOrigin } from '../../ports/model.ts';

/** Whether a message was written by the very model that will read it. */
export const isSameOrigin = (writer: ModelOrigin | undefined, reader: ModelOrigin): boolean =>
  writer?.providerId === reader.providerId && writer.modelId === reader.modelId;
