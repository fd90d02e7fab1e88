import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import {
  attachmentPartSchema,
  attachmentRequestSchema,
  mcpPromptSchema,
  mcpResourceSchema,
  mcpResourceTemplateSchema,
  rejectedEntrySchema,
} from './mcp-content-types.ts';

const server = z.strictObject({ serverId: z.string().min(1).max(200) });
const listing = server.extend({ refresh: z.boolean().default(false) });
const uri = z.string().min(1).max(8192);
const values = z.record(z.string().max(1024), z.string().max(65_536));

/** Codes for a request to a server that has no result; whatever reads content from a server can answer with them. */
export const CONTENT_ERROR_CODES = [
  'connect-failed',
  'no-consent',
  'invalid-config',
  'secret-unreadable',
  'call-timeout',
  'call-lost',
  'cancelled',
  /** The server doesn't know such a request. */
  'not-supported',
  /** The server answered with an error. */
  'refused',
] as const;

/** What servers offer besides tools. */
export const mcpContentContract = defineContract({
  domain: 'mcpContent',
  errors: CONTENT_ERROR_CODES,
  calls: {
    /** Resources and templates: those known already, unless they have changed or `refresh` asks the server. */
    resources: {
      input: listing,
      output: z.strictObject({
        /** False for a server that has none and can't be asked. */
        supported: z.boolean(),
        resources: z.array(mcpResourceSchema),
        templates: z.array(mcpResourceTemplateSchema),
        rejected: z.array(rejectedEntrySchema),
      }),
    },
    /** The same for prompts. */
    prompts: {
      input: listing,
      output: z.strictObject({
        supported: z.boolean(),
        prompts: z.array(mcpPromptSchema),
        rejected: z.array(rejectedEntrySchema),
      }),
    },
    /** The content of a resource, often one part, as it would be attached. */
    read: {
      input: server.extend({ uri, name: z.string().max(1024).optional() }),
      output: z.array(attachmentPartSchema),
    },
    /** The address that a template makes of arguments. */
    expand: {
      input: server.extend({ uriTemplate: uri, values }),
      output: z.strictObject({ uri: z.string() }),
    },
    /** What may stand for an argument, given what was entered so far. None where the server offers no completion. */
    complete: {
      input: server.extend({
        of: z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('template'), uriTemplate: uri }),
          z.strictObject({ type: z.literal('prompt'), name: z.string().min(1).max(1024) }),
        ]),
        argument: z.strictObject({ name: z.string().min(1).max(1024), value: z.string().max(65_536) }),
        /** The other arguments that are filled already. */
        context: values,
      }),
      output: z.strictObject({ values: z.array(z.string()), hasMore: z.boolean() }),
    },
    /** A prompt with its arguments filled in: text for the composer, and what is attached to it. */
    prompt: {
      input: server.extend({ name: z.string().min(1).max(1024), values }),
      output: z.strictObject({ text: z.string(), attachments: z.array(attachmentRequestSchema) }),
    },
    /**
     * Follows one resource, whose changes come as `updated`, in place of the one followed before. `following` is false where
     * the server tells nothing about changes.
     */
    watch: {
      input: server.extend({ uri }),
      output: z.strictObject({ following: z.boolean() }),
    },
    /** Ends what the last `watch` began. */
    unwatch: { input: nothing, output: nothing },
  },
  events: {
    /** What was listed may not be true any more. */
    changed: z.strictObject({ serverId: z.string(), kind: z.enum(['resources', 'prompts']) }),
    updated: z.strictObject({ serverId: z.string(), uri: z.string() }),
  },
});
export type McpContentContract = typeof mcpContentContract;
