import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';

/** Something the person must know that belongs to no conversation: a damaged file set aside, weak encryption. */
const noticeSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['file-set-aside', 'weak-secrets', 'secret-unreadable', 'renderer-restarted', 'record-skipped']),
  values: z.record(z.string(), z.string()),
});
export type Notice = z.infer<typeof noticeSchema>;

export const appContract = defineContract({
  domain: 'app',
  errors: ['refused', 'store-failed'],
  calls: {
    info: {
      input: nothing,
      output: z.strictObject({
        version: z.string(),
        platform: z.string(),
        dataPath: z.string(),
        logsPath: z.string(),
        samplePath: z.string(),
        secretStorage: z.enum(['strong', 'weak', 'none']),
      }),
    },
    notices: { input: nothing, output: z.array(noticeSchema) },
    dismissNotice: { input: z.strictObject({ id: z.string().max(200) }), output: nothing },
    openFolder: { input: z.strictObject({ folder: z.enum(['data', 'logs', 'sample']) }), output: nothing },
    /** Opens http, https and mailto in the system's own program; anything else is `refused`. */
    openExternal: { input: z.strictObject({ url: z.string().max(8192) }), output: nothing },
    copyText: { input: z.strictObject({ text: z.string() }), output: nothing, maxBytes: 32 * 1024 * 1024 },
    chooseWeakSecrets: { input: z.strictObject({ choice: z.enum(['store', 'session-only']) }), output: nothing },
  },
  events: {
    notice: noticeSchema,
    /** The person wants to see it, such as by a click on a notification. */
    openConversation: z.strictObject({ conversationId: z.string() }),
    /** From the application menu. */
    command: z.strictObject({ command: z.enum(['new-conversation', 'open-settings', 'toggle-sidebar', 'open-about']) }),
  },
});
export type AppContract = typeof appContract;
