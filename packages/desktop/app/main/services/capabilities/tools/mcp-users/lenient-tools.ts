import type { McpToolAnnotations, RejectedTool } from '@shared/contracts/mcp-types.ts';
import { isDeeperThan, MAX_JSON_DEPTH } from './json-depth.ts';
import { isObject } from './schema/json.ts';
import { readType } from './schema/normalise-drafts.ts';

/** Titles stand in lists. In characters. */
const MAX_TITLE = 1000;

/** A tool's definition as far as we use it, cleaned of what is not of the promised type. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: McpToolAnnotations;
}

type Json = Record<string, unknown>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Reads one entry of `tools/list`. Only what makes a tool unusable rejects it: no name, or no object as its input. */
export function readTool(entry: unknown): ToolDefinition | RejectedTool {
  if (!isObject(entry)) return { name: '(unnamed)', reason: 'The definition is not an object.' };
  const name = textOf(entry.name);
  if (name === undefined) return { name: '(unnamed)', reason: 'The definition has no name.' };
  const { inputSchema } = entry;
  const reason = inputProblem(inputSchema);
  if (reason) return { name, reason };
  const annotations = readAnnotations(entry.annotations);
  return {
    name,
    title: textOf(entry.title)?.slice(0, MAX_TITLE) ?? annotations?.title,
    description: withHints(textOf(entry.description) ?? '', annotations),
    inputSchema: inputSchema as Json,
    outputSchema: readOutputSchema(entry.outputSchema),
    annotations,
  };
}

/** One that is of no use is as good as none: the tool works without. */
const readOutputSchema = (schema: unknown): Json | undefined =>
  isObject(schema) && !isDeeperThan(schema, MAX_JSON_DEPTH) ? schema : undefined;

/** Why a schema can't be that of a tool's arguments; undefined when it can. */
function inputProblem(schema: unknown): string | undefined {
  if (schema === undefined) return 'It has no input schema.';
  if (!isObject(schema)) return 'Its input schema is not an object.';
  if (Object.keys(schema).length === 0)
    return 'Its input schema is empty: it does not say that the arguments are an object.';
  if (isDeeperThan(schema, MAX_JSON_DEPTH)) return `Its input schema is nested deeper than ${MAX_JSON_DEPTH} levels.`;
  // Words that are no type restrict nothing.
  const types = [readType(schema.type) ?? 'object'].flat();
  if (types.includes('object')) return undefined;
  return `Its input schema is of type ${JSON.stringify(schema.type)}; arguments are always an object.`;
}

/** A server's own word for what a tool does, where it was given explicitly. With both, the harmless one counts. */
function withHints(description: string, annotations: McpToolAnnotations | undefined): string {
  const suffix = annotations?.readOnlyHint ? '(readOnly)' : annotations?.destructiveHint ? '(destructive)' : '';
  return [description.trimEnd(), suffix].filter(Boolean).join(' ');
}

function readAnnotations(value: unknown): McpToolAnnotations | undefined {
  if (!isObject(value)) return undefined;
  const flag = (name: string) => (typeof value[name] === 'boolean' ? { [name]: value[name] } : {});
  const title = textOf(value.title)?.slice(0, MAX_TITLE);
  return {
    ...(title !== undefined && { title }),
    ...flag('readOnlyHint'),
    ...flag('destructiveHint'),
    ...flag('idempotentHint'),
    ...flag('openWorldHint'),
  };
}
