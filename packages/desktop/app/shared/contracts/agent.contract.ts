import { z } from 'zod';
import { agentPresetSchema, fileChangeSchema, permissionModeSchema } from './agent-types.ts';
import { defineContract, nothing } from './contract.ts';
import { conversationSchema, modelRefSchema } from './message-types.ts';

const run = z.strictObject({ conversationId: z.string().min(1).max(200) });
const goalText = z
  .string()
  .trim()
  .min(1)
  .max(4 * 1024 * 1024);

/**
 * Runs of the agent. A run is a conversation that has an `agent`: it is listed, opened, stopped, retried, gone on with,
 * answered and removed by the calls of `conversations` and `completion`, and comes as their events.
 */
export const agentContract = defineContract({
  domain: 'agent',
  errors: [
    'workspace-missing',
    'workspace-too-wide',
    'busy',
    'no-model',
    'not-running',
    'name-taken',
    'store-failed',
    /** The file is not any more as the change left it; `force` undoes it all the same. */
    'changed-since',
    'already-undone',
    'undo-failed',
  ],
  calls: {
    /** Those of the app first, then the person's own by name. */
    presets: { input: nothing, output: z.array(agentPresetSchema) },
    /** Built-in tools that a preset can name. */
    tools: {
      input: nothing,
      output: z.array(z.strictObject({ name: z.string(), description: z.string(), changes: z.boolean() })),
    },
    /** Without `id` a new one. */
    savePreset: {
      input: agentPresetSchema.omit({ id: true, shipped: true }).extend({ id: z.string().min(1).max(200).optional() }),
      output: agentPresetSchema,
    },
    removePreset: { input: z.strictObject({ presetId: z.string().min(1).max(200) }), output: nothing },
    /** The system's dialog; null when the person cancels. */
    chooseWorkspace: { input: nothing, output: z.string().nullable() },
    /** Workspaces of earlier runs that still exist, last used first, at most ten. */
    recentWorkspaces: { input: nothing, output: z.array(z.string()) },
    /** Makes a run and begins it with the goal. `workspace-missing` when that is no folder, `workspace-too-wide` for a whole disk or everybody's homes. */
    start: {
      input: z.strictObject({
        presetId: z.string().min(1).max(200),
        workspace: z.string().min(1).max(4096),
        goal: goalText,
        model: modelRefSchema,
        mode: permissionModeSchema,
      }),
      output: conversationSchema,
      maxBytes: 16 * 1024 * 1024,
    },
    /** Counts from the next call on; calls that wait are decided again. */
    setMode: { input: run.extend({ mode: permissionModeSchema }), output: conversationSchema },
    /** Says something while a run goes on: the model reads it with its next request. `not-running` when none does. */
    say: { input: run.extend({ text: goalText }), output: nothing, maxBytes: 16 * 1024 * 1024 },
    /** Files that the run has changed, oldest first. */
    changes: { input: run, output: z.array(fileChangeSchema) },
    /** A unified diff of one change. */
    diff: { input: run.extend({ changeId: z.string().min(1).max(200) }), output: z.string() },
    /** A unified diff of what a call that waits for the person would change, as the file is now. */
    preview: { input: run.extend({ callId: z.string().min(1).max(200) }), output: z.string() },
    /** Puts the file back to what it was before the change. */
    undo: {
      input: run.extend({ changeId: z.string().min(1).max(200), force: z.boolean().default(false) }),
      output: fileChangeSchema,
    },
  },
  events: {
    presetsChanged: z.strictObject({ presets: z.array(agentPresetSchema) }),
    fileChanged: z.strictObject({ conversationId: z.string(), change: fileChangeSchema }),
  },
});
export type AgentContract = typeof agentContract;
