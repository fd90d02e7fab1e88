import { z } from 'zod';
import { defineContract, errorInfoSchema, nothing } from './contract.ts';
import { mcpInputValuesSchema, mcpServerInputSchema } from './mcp.contract.ts';
import { mcpServerNameSchema, mcpServerTransportSchema, mcpServerViewSchema } from './mcp-types.ts';

/** At most so many servers are imported at once. */
const MAX_PICKS = 200;

/** How a found server differs from the one that is here. `env:NAME` and `header:NAME` say which value; never what it is. */
const changeSchema = z.string();

/** A server in another program's file. Of variables and headers it has the names only. */
const foundServerSchema = z.strictObject({
  /** Unique within one scan. */
  key: z.string(),
  name: mcpServerNameSchema,
  type: mcpServerTransportSchema,
  config: mcpServerViewSchema.shape.config,
  /** `changed`: a server of this name is here and differs. `same`: the very same is here, under `existing.name`. */
  status: z.enum(['new', 'same', 'changed']),
  existing: z.strictObject({ id: z.string(), name: z.string() }).optional(),
  changes: z.array(changeSchema),
  /** What a person enters before it can be added. */
  inputs: z.array(mcpServerInputSchema),
  /** Parts of its entry that are not taken over. */
  notes: z.array(z.enum(['approvals', 'env-file', 'disabled'])),
  /** Placeholders such as `${command:x}` that nothing fills in here. */
  unknownPlaceholders: z.array(z.string()),
});
export type FoundMcpServer = z.infer<typeof foundServerSchema>;

/** One file of another program. */
const importSourceSchema = z.strictObject({
  id: z.string(),
  /** The program's name, such as `Claude Desktop`. */
  program: z.string(),
  path: z.string(),
  /** The folder of the project that the servers belong to; absent for those of the person. */
  project: z.string().optional(),
  /** Why the file could not be read. */
  error: z.string().optional(),
  servers: z.array(foundServerSchema),
  /** Servers in it that can't be taken. */
  problems: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});
export type McpImportSource = z.infer<typeof importSourceSchema>;

const importOutcomeSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** `same`: it was here already by then, and nothing was done. */
  outcome: z.enum(['added', 'replaced', 'same', 'failed']),
  error: errorInfoSchema.optional(),
});
export type McpImportOutcome = z.infer<typeof importOutcomeSchema>;

export const mcpImportContract = defineContract({
  domain: 'mcpImport',
  errors: ['weak-secrets', 'store-failed', 'secret-unreadable', 'write-failed', 'scan-gone'],
  calls: {
    /** Looks for the files of other programs and reads them. Changes nothing, starts nothing. A new scan ends the last one. */
    scan: {
      input: nothing,
      output: z.strictObject({
        scanId: z.string(),
        sources: z.array(importSourceSchema),
        /** Names of the programs whose files were looked for. */
        programs: z.array(z.string()),
      }),
    },
    /**
     * Adds what the person saw and ticked, exactly as it was scanned: switched off, without consent. `replace` overwrites
     * the server of the same name; without it a taken name gets a number. Answers `weak-secrets` before it is done when the
     * person has to choose first; the same call then goes on where it stopped. `scan-gone`: scan again.
     */
    apply: {
      input: z.strictObject({
        scanId: z.string().max(200),
        picks: z
          .array(
            z.strictObject({
              key: z.string().max(200),
              replace: z.boolean().default(false),
              inputs: mcpInputValuesSchema.default({}),
            }),
          )
          .max(MAX_PICKS),
      }),
      output: z.strictObject({
        outcomes: z.array(importOutcomeSchema),
        /** For `undo`; absent when nothing was done. */
        undoId: z.string().optional(),
      }),
    },
    /** Takes one of the last imports back: what was added goes, what was replaced returns. What was edited since stays. */
    undo: {
      input: z.strictObject({ undoId: z.string().max(200) }),
      output: z.strictObject({ undone: z.number(), kept: z.number() }),
    },
    /**
     * Writes servers as `mcpServers` JSON to where the system's save dialog says, or to the clipboard. Without `secrets` the
     * values of variables and headers are left open as `${input:…}`. All servers but those that come with the app.
     */
    exportServers: {
      input: z.strictObject({ secrets: z.boolean(), to: z.enum(['file', 'clipboard']) }),
      /** `path` is null for the clipboard, and absent when the person closed the dialog. */
      output: z.strictObject({ count: z.number(), path: z.string().nullable().optional() }),
    },
  },
  events: {},
});
export type McpImportContract = typeof mcpImportContract;
