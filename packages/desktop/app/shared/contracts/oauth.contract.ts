import { z } from 'zod';
import { defineContract, errorInfoSchema, nothing } from './contract.ts';

const serverId = z.strictObject({ serverId: z.string().min(1).max(200) });

/** How a server stands with signing in. Only servers at an address whose headers name no key of their own have one. */
const signInStatusSchema = z.strictObject({
  serverId: z.string(),
  /** Tokens for this server are stored. */
  signedIn: z.boolean(),
  /** `sign-in`: it refused us; `more-rights`: it wants the person to agree to more than they did. */
  needs: z.enum(['sign-in', 'more-rights']).optional(),
  /** A sign-in that is under way: `confirm` waits for the person to agree, `browser` for the page in their browser. */
  attempt: z.strictObject({ step: z.enum(['prepare', 'confirm', 'browser']), host: z.string().optional() }).optional(),
  /** Why the last sign-in came to nothing. */
  error: errorInfoSchema.optional(),
});
export type SignInStatus = z.infer<typeof signInStatusSchema>;

export const oauthContract = defineContract({
  domain: 'oauth',
  errors: ['sign-in-failed', 'client-needed', 'cancelled', 'store-failed', 'weak-secrets'],
  calls: {
    list: { input: nothing, output: z.array(signInStatusSchema) },
    /**
     * Finds out where to sign in. Opens nothing. `client-needed`: the app can't register itself there, so that the person has
     * to enter a client ID (and secret, where there is one) that the service gave them.
     */
    prepare: {
      input: serverId.extend({
        client: z
          .strictObject({ id: z.string().min(1).max(2000), secret: z.string().max(10_000).optional() })
          .optional(),
      }),
      /** Host (and port) of the page that `open` would show. */
      output: z.strictObject({ host: z.string() }),
    },
    /** Opens the prepared page in the system's browser. What becomes of it comes as events. */
    open: { input: serverId, output: nothing },
    cancel: { input: serverId, output: nothing },
    signOut: { input: serverId, output: nothing },
  },
  events: { changed: signInStatusSchema },
});
