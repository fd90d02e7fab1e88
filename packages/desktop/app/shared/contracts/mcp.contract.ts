import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import {
  mcpProtocolSchema,
  mcpServerConfigSchema,
  mcpServerLimitsSchema,
  mcpServerNameSchema,
  mcpServerStateSchema,
  mcpServerTransportSchema,
  mcpServerViewSchema,
  mcpToolSchema,
  rejectedToolSchema,
} from './mcp-types.ts';

const serverId = z.strictObject({ serverId: z.string().min(1).max(200) });
const testId = z.string().min(1).max(100);

/** A server as a person enters it. */
export const mcpServerDraftSchema = z.strictObject({
  name: mcpServerNameSchema,
  type: mcpServerTransportSchema,
  config: mcpServerConfigSchema,
  limits: mcpServerLimitsSchema.optional(),
  /** Default: `auto`. */
  protocol: mcpProtocolSchema.optional(),
});
export type McpServerDraft = z.infer<typeof mcpServerDraftSchema>;

/** Something that a server leaves open as `${input:id}`: a person enters it before the server is added. */
export const mcpServerInputSchema = z.strictObject({
  id: z.string(),
  description: z.string().optional(),
  secret: z.boolean(),
  /** What the field holds at first; never of a secret. */
  initial: z.string().optional(),
  choices: z.array(z.string()).optional(),
  /** It becomes part of the command or the address, where it can be read; in variables and headers it is encrypted. */
  readable: z.boolean().optional(),
});
export type McpServerInput = z.infer<typeof mcpServerInputSchema>;

/** What a person entered, by the input's id. */
export const mcpInputValuesSchema = z.record(z.string().max(200), z.string().max(65_536));

const serverStatus = z.strictObject({ server: mcpServerViewSchema, state: mcpServerStateSchema });

export const mcpContract = defineContract({
  domain: 'mcp',
  errors: [
    'name-taken',
    'invalid-config',
    'no-consent',
    'connect-failed',
    /** Of `test`: the folder in which it was to be started is none. */
    'folder-missing',
    /** Of `test`: it was stopped. */
    'cancelled',
    'store-failed',
    'secret-unreadable',
    'weak-secrets',
  ],
  calls: {
    list: { input: nothing, output: z.array(serverStatus) },
    /** Adds a server that the person typed in: that is the consent for it. It is switched on unless `enabled` is false. */
    add: { input: mcpServerDraftSchema.extend({ enabled: z.boolean().default(true) }), output: mcpServerViewSchema },
    /**
     * Replaces name, config, limits and protocol. In `env` and `headers` a value of null keeps the stored secret; that is refused
     * when the command or the origin changed, since a secret belongs to what it was given for.
     */
    update: {
      input: serverId.extend({
        name: mcpServerNameSchema,
        type: mcpServerTransportSchema,
        config: mcpServerConfigSchema.extend({
          env: z.record(z.string().max(1024), z.string().max(65_536).nullable()).optional(),
          headers: z.record(z.string().max(1024), z.string().max(65_536).nullable()).optional(),
        }),
        limits: mcpServerLimitsSchema.optional(),
        protocol: mcpProtocolSchema.optional(),
      }),
      output: mcpServerViewSchema,
    },
    remove: { input: serverId, output: nothing },
    /** Switching on a stdio server without consent answers `no-consent`; `consent: true` says the person saw and agreed. */
    setEnabled: {
      input: serverId.extend({ enabled: z.boolean(), consent: z.boolean().default(false) }),
      output: mcpServerViewSchema,
    },
    /** Connects again now, whatever the state. */
    restart: { input: serverId, output: nothing },
    /** The cached tools; `refresh` asks the server. A server that is off answers with an empty list. */
    tools: {
      input: serverId.extend({ refresh: z.boolean().default(false) }),
      output: z.strictObject({ tools: z.array(mcpToolSchema), rejected: z.array(rejectedToolSchema) }),
    },
    /**
     * Starts the given server apart from the pool, lists its tools and closes it. Typed in by the person: consent given.
     * `testId` is the caller's own name for it, for `stopTest`.
     */
    test: {
      input: mcpServerDraftSchema.extend({
        testId,
        /** The stored server whose secrets stand in for null values. */
        serverId: z.string().max(200).optional(),
        config: mcpServerConfigSchema.extend({
          env: z.record(z.string().max(1024), z.string().max(65_536).nullable()).optional(),
          headers: z.record(z.string().max(1024), z.string().max(65_536).nullable()).optional(),
        }),
      }),
      output: z.strictObject({ toolNames: z.array(z.string()), rejected: z.array(rejectedToolSchema), ms: z.number() }),
    },
    /** Ends a running test, which answers `cancelled` when nothing of it is left. */
    stopTest: { input: z.strictObject({ testId }), output: nothing },
    /** Reads pasted JSON or command lines. Adds nothing, starts nothing. */
    parseJson: {
      input: z.strictObject({ text: z.string() }),
      output: z.strictObject({
        servers: z.array(mcpServerDraftSchema),
        problems: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
        /** What the servers leave open. Absent when there is nothing. */
        inputs: z.array(mcpServerInputSchema).optional(),
      }),
    },
    /** Adds servers that the person saw in full and ticked. They are added switched off and without consent. */
    import: {
      input: z.strictObject({
        servers: z.array(mcpServerDraftSchema).max(200),
        inputs: mcpInputValuesSchema.default({}),
      }),
      output: z.array(mcpServerViewSchema),
    },
  },
  events: {
    /** Servers were added, removed or edited. */
    serversChanged: z.strictObject({ servers: z.array(serverStatus) }),
    stateChanged: z.strictObject({ serverId: z.string(), state: mcpServerStateSchema }),
    toolsChanged: z.strictObject({ serverId: z.string() }),
  },
});
export type McpContract = typeof mcpContract;
export type McpServerStatus = z.infer<typeof serverStatus>;
