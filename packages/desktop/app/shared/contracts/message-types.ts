import { z } from 'zod';
import { agentRunSchema, todoItemSchema } from './agent-types.ts';
import { errorInfoSchema } from './contract.ts';
import { attachmentPartSchema } from './mcp-content-types.ts';
import { callProgressSchema } from './mcp-types.ts';
import { type ModelRef, modelRefSchema } from './model-ref.ts';

export { type ModelRef, modelRefSchema };

export const usageSchema = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number().optional(),
  cachedInputTokens: z.number().optional(),
});
/** Tokens of one model response, as the provider counts them. */
export type Usage = z.infer<typeof usageSchema>;

/** A content block of a tool's result, as stored and shown; see MCPToolResponseContent. */
const resultContentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string().optional(),
    mimeType: z.string().optional(),
    description: z.string().optional(),
  }),
  z.object({ type: z.literal('unknown'), originalType: z.string(), value: z.unknown() }),
]);

/** What a tool answered, as stored and shown; see MCPCallToolResponse. */
export const toolResultSchema = z.strictObject({
  isError: z.boolean(),
  content: z.array(resultContentSchema),
  structuredContent: z.unknown().optional(),
  /** Where what is here is cut. */
  whole: z.strictObject({ id: z.string().optional(), characters: z.number() }).optional(),
  warnings: z.array(z.string()).optional(),
});

/** What a call shows of itself beside its result; models don't read it. */
const toolDisplaySchema = z.discriminatedUnion('kind', [
  /** A file was changed, or will be when the person allows it; `diff` is unified, cut when it is long. */
  z.strictObject({
    kind: z.literal('diff'),
    /** Absent for a change that isn't made. */
    changeId: z.string().optional(),
    path: z.string(),
    diff: z.string(),
    added: z.number(),
    removed: z.number(),
    /** Why it can't be made as the file is now; `diff` is of the texts that the call gives then. */
    problem: z.string().optional(),
  }),
  z.strictObject({
    kind: z.literal('todo'),
    items: z.array(todoItemSchema),
  }),
]);
export type ToolDisplay = z.infer<typeof toolDisplaySchema>;
export type DiffDisplay = Extract<ToolDisplay, { kind: 'diff' }>;

/** What one layer of safety said about a call of an agent. `person` is someone's answer to a question. */
const toolDecisionSchema = z.strictObject({
  layer: z.enum(['firewall', 'guardian', 'permission', 'person']),
  outcome: z.enum(['allow', 'ask', 'deny']),
  reason: z.string(),
});
export type ToolDecision = z.infer<typeof toolDecisionSchema>;

const toolPartStateSchema = z.enum([
  /** The model is still writing the call. */
  'streaming',
  /** Waits for the person. */
  'awaiting-approval',
  'running',
  'done',
  /** The server answered with an error, or could not be reached; `result` or `error` says how. */
  'failed',
  'denied',
  'cancelled',
]);
export type ToolPartState = z.infer<typeof toolPartStateSchema>;

/** A model's call of a tool, and what came of it: one part, so that a call can't lose its result. */
export const toolPartSchema = z.strictObject({
  type: z.literal('tool'),
  /** Unique within the conversation. */
  callId: z.string(),
  /** What the model called it. */
  wireName: z.string(),
  /** Absent when the model asked for a tool that does not exist. */
  serverId: z.string().optional(),
  serverName: z.string().optional(),
  toolName: z.string().optional(),
  title: z.string().optional(),
  /** Parsed arguments in the server's own terms; null while streaming or when what the model wrote is no object. */
  args: z.record(z.string(), z.unknown()).nullable(),
  /** The model's own text of the arguments, kept where `args` is null. */
  argsText: z.string().optional(),
  state: toolPartStateSchema,
  progress: callProgressSchema.optional(),
  result: toolResultSchema.optional(),
  display: toolDisplaySchema.optional(),
  /** Of a run of the agent: in the order in which they were made. */
  decisions: z.array(toolDecisionSchema).optional(),
  /** Why it did not run or did not finish. */
  error: errorInfoSchema.optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  providerData: z.unknown().optional(),
});
export type ToolPart = z.infer<typeof toolPartSchema>;

/** `providerData`, on any part, is what the provider wants back verbatim. It stays in main. */
export const messagePartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), providerData: z.unknown().optional() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string(), providerData: z.unknown().optional() }),
  toolPartSchema,
  /** What a person sent along, as it was read then. */
  attachmentPartSchema,
  /** Something that the app has to say at this place of the conversation; `values` fill the catalogue's text. */
  z.strictObject({
    type: z.literal('notice'),
    notice: z.enum([
      'servers-late',
      'tools-refused',
      'round-limit',
      'repeating',
      'interrupted',
      'output-limit',
      'filtered',
      /** An agent's run has used up its tokens; asks whether to go on, as `round-limit` does. */
      'token-budget',
      /** Tools were left out because another has their name. */
      'tools-collided',
      /** A server of the run's own could not be started; it goes on without its tools. */
      'server-failed',
    ]),
    values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
  /**
   * Towards models, stands for the first `rows` messages of the conversation (those with earlier summaries counted), which
   * had outgrown the model's window. Messages between these and its own are still read as they are.
   */
  z.strictObject({ type: z.literal('summary'), text: z.string(), rows: z.number(), tokensBefore: z.number() }),
  z.strictObject({ type: z.literal('error'), error: errorInfoSchema }),
]);
export type MessagePart = z.infer<typeof messagePartSchema>;

export const messageStatusSchema = z.enum(['streaming', 'complete', 'stopped', 'failed', 'interrupted']);

/**
 * One row of a conversation: a person's message, or one response of the model together with the results of the calls it
 * made. A turn with three rounds of tools is one user row and four assistant rows.
 */
export const messageSchema = z.strictObject({
  id: z.string(),
  conversationId: z.string(),
  /** The message before this one; null for the first. */
  parentId: z.string().nullable(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(messagePartSchema),
  status: messageStatusSchema,
  model: modelRefSchema.optional(),
  usage: usageSchema.optional(),
  createdAt: z.number(),
});
export type Message = z.infer<typeof messageSchema>;

export const conversationSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  model: modelRefSchema.nullable(),
  /** Present when it is a run of the agent. */
  agent: agentRunSchema.optional(),
  /** Present in place of `agent` where that can't be read: the run is kept and can be looked at, but doesn't go on. */
  agentError: errorInfoSchema.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Conversation = z.infer<typeof conversationSchema>;
