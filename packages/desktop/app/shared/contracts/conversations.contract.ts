import { z } from 'zod';
import { waitingSchema } from './completion.contract.ts';
import { defineContract, nothing } from './contract.ts';
import { conversationSchema, messageSchema, modelRefSchema } from './message-types.ts';

const id = z.strictObject({ conversationId: z.string().min(1).max(200) });

/** `running`: an answer is being written. `waiting`: ids of its calls that wait for the person. Absent where there is none. */
const listedConversationSchema = conversationSchema.extend({
  running: z.boolean().optional(),
  waiting: z.array(z.string()).optional(),
});
export type ListedConversation = z.infer<typeof listedConversationSchema>;

export const conversationsContract = defineContract({
  domain: 'conversations',
  errors: ['store-failed'],
  calls: {
    /** Most recently used first. */
    list: { input: nothing, output: z.array(listedConversationSchema) },
    create: { input: z.strictObject({ model: modelRefSchema.nullable() }), output: conversationSchema },
    rename: { input: id.extend({ title: z.string().trim().min(1).max(500) }), output: conversationSchema },
    setModel: { input: id.extend({ model: modelRefSchema }), output: conversationSchema },
    /** Hides the conversation; `restore` brings it back until the app ends, then it is gone. */
    remove: { input: id, output: nothing },
    restore: { input: id, output: conversationSchema },
    /**
     * The whole conversation as it stands, a running turn included. `seq` is the last event that is already in it: a view
     * applies only events after that one.
     */
    open: {
      input: id,
      output: z.strictObject({
        conversation: conversationSchema,
        messages: z.array(messageSchema),
        running: z.boolean(),
        waiting: waitingSchema,
        seq: z.number(),
      }),
    },
  },
  events: {
    changed: z.strictObject({ conversation: conversationSchema }),
    removed: z.strictObject({ conversationId: z.string() }),
  },
});
