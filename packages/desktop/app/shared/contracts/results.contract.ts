import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';

/** Results of tools that were too large for a message. */
export const resultsContract = defineContract({
  domain: 'results',
  errors: ['refused'],
  calls: {
    /** Opens the whole result in the system's program for text. `not-found` when it is not kept any more. */
    open: { input: z.strictObject({ id: z.string().min(1).max(100) }), output: nothing },
  },
  events: {},
});
