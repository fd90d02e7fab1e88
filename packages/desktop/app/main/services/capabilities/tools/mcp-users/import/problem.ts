/** Why something that was pasted or found can't be taken. `message` is for people. */
export class ImportProblem extends Error {}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
