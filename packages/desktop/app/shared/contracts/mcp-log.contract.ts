import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import { mcpLogEntrySchema } from './mcp-types.ts';

const serverId = z.strictObject({ serverId: z.string().min(1).max(200) });

/** What servers write and say. Whoever shows it asks for it, again and again: nothing is sent to nobody. */
export const mcpLogContract = defineContract({
  domain: 'mcpLog',
  errors: [],
  calls: {
    /**
     * All entries that are kept, oldest first; or those after number `after`, as soon as there are some, and none after a
     * while. They come in batches, the newest of many; numbers that are missing were dropped. As long as somebody reads,
     * messages are recorded.
     */
    read: {
      input: serverId.extend({ after: z.number().int().min(0).optional() }),
      output: z.strictObject({
        entries: z.array(mcpLogEntrySchema),
        /** The number to go on from. */
        latest: z.number(),
        /** Whether messages are recorded while nobody reads too. */
        recording: z.boolean(),
      }),
    },
    /** Records messages while nobody reads too, until the app ends. Off by default: it takes time at every message. */
    setRecording: { input: serverId.extend({ recording: z.boolean() }), output: nothing },
    clear: { input: serverId, output: nothing },
  },
  events: {},
});
