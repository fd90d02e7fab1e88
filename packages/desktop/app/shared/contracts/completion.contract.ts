import { z } from 'zod';
import { defineContract, errorInfoSchema, nothing } from './contract.ts';
import { CONTENT_ERROR_CODES } from './mcp-content.contract.ts';
import { attachmentRequestSchema, MAX_ATTACHMENTS } from './mcp-content-types.ts';
import { messageSchema, modelRefSchema, toolPartSchema, usageSchema } from './message-types.ts';

const id = z.strictObject({ conversationId: z.string().min(1).max(200) });

const approvalDecisionSchema = z.enum(['allow-once', 'allow-for-chat', 'allow-always', 'deny']);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

export const waitingSchema = z
  .discriminatedUnion('for', [
    /** The conversation is being summarised before it goes on. */
    z.strictObject({ for: z.literal('summary') }),
    z.strictObject({ for: z.literal('servers'), serverNames: z.array(z.string()) }),
    z.strictObject({ for: z.literal('retry'), at: z.number(), attempt: z.number(), error: errorInfoSchema }),
  ])
  .nullable();
/** What a turn waits for, to be shown while it does; null when it goes on. */
export type Waiting = z.infer<typeof waitingSchema>;

const place = z.strictObject({ conversationId: z.string(), messageId: z.string() });

export const completionContract = defineContract({
  domain: 'completion',
  errors: ['busy', 'no-model', 'not-running', 'run-unreadable', 'store-failed', ...CONTENT_ERROR_CODES],
  calls: {
    /**
     * Stores the message and starts a turn; everything else comes as events. `busy` while one runs in this conversation.
     * Attached resources are read first: where one can't be, the message is not taken. `run-unreadable` for a run whose
     * agent can't be read; so do `retry` and `proceed`.
     */
    chatInSession: {
      input: id.extend({
        text: z
          .string()
          .trim()
          .min(1)
          .max(4 * 1024 * 1024),
        model: modelRefSchema,
        attachments: z.array(attachmentRequestSchema).max(MAX_ATTACHMENTS).default([]),
      }),
      output: z.strictObject({ messageId: z.string() }),
      maxBytes: 32 * 1024 * 1024,
    },
    /** Starts again from the last user message, replacing what failed. */
    retry: { input: id.extend({ model: modelRefSchema }), output: nothing },
    /**
     * Goes on after a turn that ended to ask whether it should; with a run of the agent also where it was stopped, failed or
     * was interrupted. Nothing is replaced. `not-found` when there is nothing to go on with.
     */
    proceed: { input: id.extend({ model: modelRefSchema }), output: nothing },
    stop: { input: id, output: nothing },
    approve: {
      input: id.extend({ callId: z.string().min(1).max(500), decision: approvalDecisionSchema }),
      output: nothing,
    },
  },
  events: {
    /** A message is new, or changed as a whole. */
    message: z.strictObject({ message: messageSchema }),
    /** Text to append to the part at `partIndex`, which exists already or is the next one, of the named type. */
    delta: place.extend({ partIndex: z.number(), partType: z.enum(['text', 'reasoning']), text: z.string() }),
    /** A tool part as it stands now, at `partIndex`. */
    toolPart: place.extend({ partIndex: z.number(), part: toolPartSchema }),
    waiting: z.strictObject({
      conversationId: z.string(),
      waiting: waitingSchema,
    }),
    turnStarted: z.strictObject({ conversationId: z.string() }),
    turnEnded: z.strictObject({
      conversationId: z.string(),
      outcome: z.enum(['complete', 'stopped', 'failed', 'round-limit', 'repeating', 'token-budget']),
      usage: usageSchema.optional(),
    }),
  },
});
export type CompletionContract = typeof completionContract;
