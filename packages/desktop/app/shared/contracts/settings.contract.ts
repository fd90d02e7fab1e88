import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';
import { modelRefSchema } from './message-types.ts';

export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** Off: Enter sends and Shift+Enter breaks the line. On: Ctrl/Cmd+Enter sends and Enter breaks. */
  sendWithModifier: z.boolean(),
  autoScroll: z.boolean(),
  showReasoning: z.boolean(),
  expandTools: z.boolean(),
  /** Width of the sidebar in CSS pixels. */
  sidebarWidth: z.number().int().min(200).max(480),
  sidebarOpen: z.boolean(),
  lastModel: modelRefSchema.nullable(),
  /** False until the person has closed the first-run guide. */
  welcomed: z.boolean(),
  /** What to do where the system offers no strong encryption; null until the person has chosen. */
  weakSecrets: z.enum(['store', 'session-only']).nullable(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  sendWithModifier: false,
  autoScroll: true,
  showReasoning: true,
  expandTools: false,
  sidebarWidth: 264,
  sidebarOpen: true,
  lastModel: null,
  welcomed: false,
  weakSecrets: null,
};

export const settingsContract = defineContract({
  domain: 'settings',
  errors: ['store-failed'],
  calls: {
    get: { input: nothing, output: settingsSchema },
    /** Changes the named settings only. Main alone can choose for weak secrets through `app.chooseWeakSecrets`. */
    set: { input: settingsSchema.omit({ weakSecrets: true }).partial(), output: settingsSchema },
    /** Tools that are always allowed: which, and a way to take it back. */
    listAlwaysAllowed: {
      input: nothing,
      output: z.array(z.strictObject({ serverId: z.string(), serverName: z.string(), toolName: z.string() })),
    },
    revokeAlwaysAllowed: {
      input: z.strictObject({ serverId: z.string().max(200), toolName: z.string().max(1000) }),
      output: nothing,
    },
  },
  events: { changed: settingsSchema },
});
export type SettingsContract = typeof settingsContract;
