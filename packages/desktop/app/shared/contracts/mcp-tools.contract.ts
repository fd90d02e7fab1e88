import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import { callProgressSchema, mcpToolSchema } from './mcp-types.ts';
import { toolResultSchema } from './message-types.ts';

/** `ask` is the default. `deny`: a model that calls it gets a refusal. `allow`: runs without a question, while it stays as it is. */
const toolPolicySchema = z.enum(['ask', 'allow', 'deny']);
export type ToolPolicy = z.infer<typeof toolPolicySchema>;

/** The form of tool definitions that a model is sent. */
const toolFormatSchema = z.enum(['openai', 'anthropic', 'google']);

const server = z.strictObject({ serverId: z.string().min(1).max(200) });
const tool = server.extend({ toolName: z.string().min(1).max(10_000) });
const run = z.strictObject({ runId: z.string().min(1).max(100) });
const args = z.record(z.string(), z.unknown());

/** What a person goes by when they decide about a tool. */
const shownToolSchema = mcpToolSchema.pick({ title: true, description: true, inputSchema: true, annotations: true });
export type ShownTool = z.infer<typeof shownToolSchema>;

/** What the person decided about one tool, and what it costs. */
const toolSettingSchema = z.strictObject({
  name: z.string(),
  /** Off: it isn't offered to any model. */
  enabled: z.boolean(),
  policy: toolPolicySchema,
  /** It was allowed in another form, before its definition or its server changed; so it asks. */
  allowedBefore: z.boolean(),
  /** Estimated, in the given format. */
  tokens: z.number(),
  /** The tool's own name had to be changed or cut in the name by which models call it. */
  renamed: z.boolean(),
  /** What of the definition can't be said in the given format, in sentences. */
  warnings: z.array(z.string()),
});
export type ToolSetting = z.infer<typeof toolSettingSchema>;

const argumentProblemSchema = z.strictObject({
  /** In a sentence. */
  text: z.string(),
  /** Something required isn't there, as in a form that is not filled in yet. */
  missing: z.boolean(),
});
export type ArgumentProblem = z.infer<typeof argumentProblemSchema>;

const serverCostSchema = z.strictObject({
  serverId: z.string(),
  /** Of what is offered: estimated tokens of the definitions, and how many there are. */
  tokens: z.number(),
  toolCount: z.number(),
  /** Tools that are switched off. */
  offCount: z.number(),
  /** Of what is offered: tools that the model gets with another name, or with less in their schema. */
  changedCount: z.number(),
  /** Tools that can't be offered to anybody. */
  rejectedCount: z.number(),
});
export type ServerCost = z.infer<typeof serverCostSchema>;

const toolCostsSchema = z.strictObject({
  tokens: z.number(),
  toolCount: z.number(),
  /** Most tools that such an API takes in one request; null where there is no limit. */
  maxTools: z.number().nullable(),
  /** Servers that are switched on and have listed tools. */
  servers: z.array(serverCostSchema),
});
export type ToolCosts = z.infer<typeof toolCostsSchema>;

/** What came of a call from the playground. */
const toolRunSchema = z.strictObject({
  result: toolResultSchema,
  /** What a model would read of it. */
  forModel: z.strictObject({ text: z.string(), imageCount: z.number() }),
  /** Milliseconds. */
  ms: z.number(),
});
export type ToolRun = z.infer<typeof toolRunSchema>;

/** What a person decides about single tools, what tools cost, and trying them out. */
export const mcpToolsContract = defineContract({
  domain: 'mcpTools',
  errors: [
    'store-failed',
    'no-consent',
    'invalid-config',
    'connect-failed',
    'secret-unreadable',
    'weak-secrets',
    'call-timeout',
    'call-lost',
    'cancelled',
    'tool-changed',
  ],
  calls: {
    /** Every tool of the cached listing, in its order. */
    overview: { input: server.extend({ format: toolFormatSchema }), output: z.array(toolSettingSchema) },
    costs: { input: z.strictObject({ format: toolFormatSchema }), output: toolCostsSchema },
    setEnabled: { input: tool.extend({ enabled: z.boolean() }), output: nothing },
    /**
     * `not-found` for a tool that isn't listed: a policy belongs to a definition. `tool-changed` when it is to be allowed and
     * isn't any more what the person was shown.
     */
    setPolicy: {
      input: tool.extend({ policy: toolPolicySchema, shown: shownToolSchema }),
      output: nothing,
      maxBytes: 16 * 1024 * 1024,
    },
    /** Every tool of the server asks again, those that aren't listed now included. */
    resetPolicies: { input: server, output: nothing },
    /** What the tool's schema has against these arguments, none when it can't be checked. */
    check: { input: tool.extend({ args }), output: z.array(argumentProblemSchema), maxBytes: 16 * 1024 * 1024 },
    /** Calls the tool; the person's click is the consent. Answers when it is done. */
    run: { input: tool.extend({ runId: run.shape.runId, args }), output: toolRunSchema, maxBytes: 16 * 1024 * 1024 },
    /** Cancels a run and tells the server; fine with one that is over. */
    cancel: { input: run, output: nothing },
  },
  events: {
    /** A switch or a policy of this server's tools changed. */
    changed: server,
    /** At most ten a second for one run. */
    progress: z.strictObject({ runId: z.string(), progress: callProgressSchema }),
  },
});
