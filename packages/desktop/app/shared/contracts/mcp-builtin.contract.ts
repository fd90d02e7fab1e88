import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import { builtinOptionsSchema, mcpServerNameSchema, mcpServerViewSchema } from './mcp-types.ts';

/** Servers that come with the app: `files` in the sample folder, `folders` of the person's choice, and a `memory`. */
export const builtinNameSchema = z.enum(['files', 'folders', 'memory']);
export type BuiltinName = z.infer<typeof builtinNameSchema>;

export const mcpBuiltinContract = defineContract({
  domain: 'mcpBuiltin',
  errors: ['invalid-config', 'name-taken', 'store-failed'],
  calls: {
    /** What can be added. Of some there can be only one: then `added` says that it is there. */
    offers: {
      input: nothing,
      output: z.array(z.strictObject({ builtin: builtinNameSchema, added: z.boolean() })),
    },
    /** Lets the person choose folders in the system's dialog. Empty when they cancel. */
    chooseFolders: { input: nothing, output: z.array(z.string()) },
    /**
     * Adds one, switched on: the person saw what it may do. `folders` needs `options.folders`, the others take none. Without a
     * name it gets one that is free.
     */
    add: {
      input: z.strictObject({
        builtin: builtinNameSchema,
        name: mcpServerNameSchema.optional(),
        options: builtinOptionsSchema.optional(),
      }),
      output: mcpServerViewSchema,
    },
    /** Another name and other options for one that was added. It is restarted where its options changed. */
    edit: {
      input: z.strictObject({
        serverId: z.string().min(1).max(200),
        name: mcpServerNameSchema,
        options: builtinOptionsSchema.optional(),
      }),
      output: mcpServerViewSchema,
    },
  },
  events: {},
});
export type McpBuiltinContract = typeof mcpBuiltinContract;
