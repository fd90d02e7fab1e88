import { z } from 'zod';
import { modelRefSchema } from './model-ref.ts';

/**
 * What an agent may do without asking. `ask`: whatever changes something asks. `accept-edits`: changes of files in the
 * workspace don't. `plan`: nothing is changed at all. `bypass`: nothing asks; the firewall still holds.
 */
export const permissionModeSchema = z.enum(['ask', 'accept-edits', 'plan', 'bypass']);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** Whether a model rates the risk of calls, and from which risk on they are refused: `guard` high, `strict` medium. */
const guardianModeSchema = z.enum(['off', 'guard', 'strict']);
export type GuardianMode = z.infer<typeof guardianModeSchema>;

/** MCP servers that the engine runs itself, for the time of a run: they come with the app. */
const agentServerSchema = z.enum(['memory']);
export type AgentServer = z.infer<typeof agentServerSchema>;

export const agentPresetSchema = z.strictObject({
  id: z.string().min(1).max(200),
  name: z.string().trim().min(1).max(128),
  description: z.string().trim().max(1000),
  /** Comes with the app: it can be copied, not changed. */
  shipped: z.boolean(),
  systemPrompt: z.string().max(100_000),
  /** The model that a new run begins with; null for the one used last. */
  model: modelRefSchema.nullable(),
  /** Names of built-in tools. */
  tools: z.array(z.string().min(1).max(64)).max(100),
  /** Whether the tools of the person's own MCP servers join in. */
  mcpTools: z.boolean(),
  /** Servers that live as long as a run. */
  servers: z.array(agentServerSchema).max(10),
  mode: permissionModeSchema,
  guardian: guardianModeSchema,
  /** Model responses until the run asks whether to go on. Default 50. */
  maxRounds: z.number().int().min(1).max(1000),
  /** Tokens, in and out, until the run asks whether to go on; null for no such limit. */
  tokenBudget: z.number().int().min(1000).max(1_000_000_000).nullable(),
});
export type AgentPreset = z.infer<typeof agentPresetSchema>;

/**
 * What makes a conversation a run of the agent. The preset as it was when the run began: editing it changes later runs only.
 */
export const agentRunSchema = z.strictObject({
  preset: agentPresetSchema,
  /** Absolute path of the folder that it works in. */
  workspace: z.string().min(1).max(4096),
  goal: z.string(),
  mode: permissionModeSchema,
});
export type AgentRun = z.infer<typeof agentRunSchema>;

export const todoItemSchema = z.strictObject({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'done']),
});
export type TodoItem = z.infer<typeof todoItemSchema>;

/** A change of one file by one call. */
export const fileChangeSchema = z.strictObject({
  id: z.string(),
  callId: z.string(),
  /** Relative to the workspace, with `/`; absolute when it lies outside. */
  path: z.string(),
  kind: z.enum(['created', 'edited']),
  added: z.number(),
  removed: z.number(),
  at: z.number(),
  undone: z.boolean(),
});
export type FileChange = z.infer<typeof fileChangeSchema>;
