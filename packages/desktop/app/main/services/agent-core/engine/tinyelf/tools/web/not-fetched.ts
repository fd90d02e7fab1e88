/** Of a body so much is read, in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Nothing was fetched. The message is for the model. */
export class NotFetched extends Error {}
