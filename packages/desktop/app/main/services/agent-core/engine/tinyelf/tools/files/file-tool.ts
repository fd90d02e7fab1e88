import type { DiffDisplay } from '@shared/contracts/message-types.ts';
import { z } from 'zod';
import { AppError } from '../../../../../ports/errors.ts';
import type { FileChanges } from '../../changes/FileChanges.ts';
import type { Workspace } from '../../workspace.ts';
import type { ITool, JsonSchema, ToolAccess, ToolContext } from '../ITool.ts';
import type { FileVersions } from './file-versions.ts';
import { pathChanged } from './pinned.ts';

/**
 * What the firewall's rules say of an absolute path, links followed, at this moment: a path that was checked may lead elsewhere
 * when it is used, and files below a folder that may be searched weren't checked at all.
 */
export type Judge = (real: string, use: 'read' | 'write') => 'allow' | 'ask' | 'deny';

/** What the tools of one run share. */
export interface FileToolsDeps {
  workspace: Workspace;
  changes: Pick<FileChanges, 'record'>;
  conversationId: string;
  versions: FileVersions;
  judge: Judge;
  searchLimitMs: number;
}

/** Arguments, as a model writes them: null means the same as nothing. */
type Definition<S extends z.ZodObject> = {
  name: string;
  description: string;
  parameters: S;
  risk: 'safe' | 'edit';
  /** Of the path that the model names. */
  access(path: string): ToolAccess;
  preview?(params: z.infer<S>): Promise<DiffDisplay>;
  execute(params: z.infer<S>, context: ToolContext): Promise<string>;
};

/** Throws AppError `path-changed` for what would have been refused before. What was asked may have been allowed. */
export function refuseOffLimits(
  { judge }: Pick<FileToolsDeps, 'judge'>,
  real: string,
  use: 'read' | 'write',
  shown: string,
) {
  if (judge(real, use) === 'deny') throw pathChanged(shown);
}

/** Makes an ITool whose arguments are checked, and whose failures are answers that begin with `Error: `. */
export function fileTool<S extends z.ZodObject>(definition: Definition<S>): ITool {
  const { name, description, parameters, risk } = definition;
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' }) as JsonSchema;
  const read = (params: Record<string, unknown>) =>
    parameters.safeParse(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)));
  return {
    name,
    description,
    parameters: schema,
    risk,
    access: ({ path }) => definition.access(typeof path === 'string' && path !== '' ? path : '.'),
    async preview(params) {
      const parsed = read(params);
      return parsed.success ? definition.preview?.(parsed.data) : undefined;
    },
    async execute(params, context = {}) {
      context.signal?.throwIfAborted();
      const parsed = read(params);
      if (!parsed.success) return `Error: These arguments don't fit ${name}. ${z.prettifyError(parsed.error)}`;
      try {
        return await definition.execute(parsed.data, context);
      } catch (error) {
        if (error instanceof AppError) return `Error: ${inWords(error)}`;
        throw error;
      }
    },
  };
}

/** An error with what to do about it, in one line. */
export const inWords = ({ message, hint }: AppError): string => [message, hint].filter(Boolean).join(' ');

export const pathParameter = z
  .string()
  .min(1)
  .describe('Path, relative to the workspace or absolute. ~ is the home folder.');
