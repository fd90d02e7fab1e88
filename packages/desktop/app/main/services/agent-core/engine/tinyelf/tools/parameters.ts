import { z } from 'zod';
import type { JsonSchema } from './ITool.ts';

/** The JSON Schema of a built-in tool's parameters, as models get it. */
export function parametersOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return parameters;
}

/** What the model passed, or in words what is wrong with it. */
export function readParameters<T extends z.ZodObject>(
  schema: T,
  params: Record<string, unknown>,
): { ok: true; value: z.output<T> } | { ok: false; problem: string } {
  const read = schema.safeParse(params);
  if (read.success) return { ok: true, value: read.data };
  return { ok: false, problem: `Error: The arguments don't fit this tool.\n${z.prettifyError(read.error)}` };
}
