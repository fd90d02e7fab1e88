import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ProcessedSchema, ToolFormat } from '../../../../ports/tool-formats.ts';
import { expand } from './expand.ts';
import { foldRoot, freeArgumentRules } from './fold-root.ts';
import { GeminiWriter } from './gemini-target.ts';
import { cutText, isObject, type JsonObject, put, type Schema } from './json.ts';
import { writeJsonSchema } from './json-schema-target.ts';
import { KEYWORDS, type KeywordKind } from './normalise-drafts.ts';
import { DEFINITION_LIMITS, PROVIDER_LIMITS } from './provider-limits.ts';
import { readJson } from './read-json.ts';
import { renameProperties, wireNamesFor } from './rename-keys.ts';
import { Decoder, Renamer } from './restore.ts';

/** A tool in the form of one provider. Shared between requests: don't change it. */
export interface PreparedTool {
  schema: ProcessedSchema;
  /** The tool's description, with the rules that the schema can't say. */
  description: string;
  /** What of the definition could not be shown to the model, in sentences for a person. */
  warnings: string[];
  /**
   * Turns the model's arguments into the server's own: renamed properties and changed values are put back, everything else
   * stays as it came. Never throws.
   */
  restore(args: JsonObject): JsonObject;
}

type Definition = Omit<PreparedTool, 'description'> & { rules: string[] };
type ByFormat<T> = Partial<Record<ToolFormat, T>>;

const tools = new WeakMap<MCPTool, ByFormat<PreparedTool>>();
/** A listing that is read again may wrap the same definition anew. */
const definitions = new WeakMap<object, ByFormat<Definition>>();

/** Converts a tool for a provider; once per definition and format. Pure and total: any input gives a usable result. */
export function prepareTool(format: ToolFormat, tool: MCPTool): PreparedTool {
  let byFormat = tools.get(tool);
  if (!byFormat) {
    byFormat = {};
    tools.set(tool, byFormat);
  }
  byFormat[format] ??= describeTool(tool, define(format, tool.inputSchema));
  return byFormat[format];
}

/** Only the schema of {@link prepareTool}, for a schema that belongs to no tool; rules go into its description. */
export function processSchema(schema: unknown): ProcessedSchema & { description?: string } {
  const { schema: processed, rules } = define('openai', schema);
  const description = joinRules((processed as Schema).description ?? '', rules);
  return description === '' ? processed : { ...processed, description };
}

function define(format: ToolFormat, input: unknown): Definition {
  if (typeof input !== 'object' || input === null) return convert(format, {});
  let byFormat = definitions.get(input);
  if (!byFormat) {
    byFormat = {};
    definitions.set(input, byFormat);
  }
  byFormat[format] ??= convert(format, input);
  return byFormat[format];
}

function convert(format: ToolFormat, input: unknown): Definition {
  try {
    return convertDefinition(format, input);
  } catch (error) {
    // One definition that we stumble over must not lose the request with all the others.
    const reason = error instanceof Error ? error.message : String(error);
    return {
      schema: { type: 'object', properties: {}, required: [] },
      rules: [],
      warnings: [`The definition could not be converted (${cutText(reason, 200)}); the model sees no arguments.`],
      restore: (args) => args,
    };
  }
}

function convertDefinition(format: ToolFormat, input: unknown): Definition {
  const limits = PROVIDER_LIMITS[format];
  const { value, cut, size } = readJson(input);
  const schemaOf = looksLikeProperties(value) ? { type: 'object', properties: value } : asSchema(value);
  const expanded = expand(schemaOf, size);
  const warnings = [...expanded.warnings];
  if (cut) warnings.push('The definition is circular, too deep or too large to read in full.');

  const wire = wireNamesFor(expanded.names, limits);
  const renamed = wire.size > 0 ? renameProperties(expanded.schema, wire) : expanded.schema;
  const root = foldRoot(renamed);
  if (root.wrapped) warnings.push('The definition doesn’t describe an object of arguments; the model gives one value.');
  const { properties, required, description } = root.schema;
  const known = required.filter((key) => Object.hasOwn(properties, key));
  if (known.length < required.length) {
    const missing = required.filter((key) => !known.includes(key));
    warnings.push(`Required but not defined: ${cutText(missing.join(', '), 200)}.`);
  }

  const rules = [...root.rules];
  const restorers: ((args: unknown) => unknown)[] = [];
  let written: Record<string, unknown> = {};
  if (format === 'google') {
    const writer = new GeminiWriter(limits);
    written = writer.writeRoot(root.schema);
    if (!writer.decodings.has(root.schema)) rules.push(...freeArgumentRules(root.schema));
    if (writer.decodings.size > 0) {
      const decoder = new Decoder(writer.decodings);
      restorers.push((args) => decoder.decode(args, root.schema));
    }
  } else {
    rules.push(...freeArgumentRules(root.schema));
    for (const key of Object.keys(properties)) put(written, key, writeJsonSchema(properties[key]!, limits, 2));
  }
  if (wire.size > 0) {
    const renamer = new Renamer(wire);
    // Along the branches as they were, unless the arguments had to be wrapped.
    const source = root.wrapped ? root.schema : renamed;
    restorers.push((args) => renamer.rename(args, source));
  }

  const schema: ProcessedSchema & { description?: string } = { type: 'object', properties: written, required: known };
  if (description !== undefined) schema.description = description;
  return { schema, rules, warnings, restore: restorer(restorers) };
}

function restorer(steps: ((args: unknown) => unknown)[]): PreparedTool['restore'] {
  if (steps.length === 0) return (args) => args;
  return (args) => {
    const restored = steps.reduce<unknown>((value, step) => step(value), args);
    return isObject(restored) ? restored : args;
  };
}

function describeTool(tool: MCPTool, definition: Definition): PreparedTool {
  const { rules, ...rest } = definition;
  const description = typeof tool.description === 'string' ? tool.description.toWellFormed() : '';
  return { ...rest, description: joinRules(cutText(description, 2 * DEFINITION_LIMITS.description), rules) };
}

/** Adds the rules about the arguments; a description goes on ending in its hint, as the pool promises. */
function joinRules(description: string, rules: string[]): string {
  if (rules.length === 0) return description;
  const told = cutText(rules.join('. '), DEFINITION_LIMITS.description);
  const sentence = `Rules for the arguments: ${told}${/[.…]$/.test(told) ? '' : '.'}`;
  const hint = /\s*\((?:readOnly|destructive)\)$/.exec(description)?.[0] ?? '';
  const text = description.slice(0, description.length - hint.length);
  return (text === '' ? sentence : `${text}\n\n${sentence}`) + (hint && ` ${hint.trim()}`);
}

const asSchema = (value: unknown): unknown => (isObject(value) || typeof value === 'boolean' ? value : {});

/** Kinds of keywords whose value may look like the schema of a property. */
const OBJECT_KINDS: ReadonlySet<string> = new Set(['schema', 'schema-map', 'value'] satisfies KeywordKind[]);
const OBJECT_KEYWORDS: ReadonlySet<string> = new Set(['additionalProperties', '$defs', 'definitions', 'dependencies']);

/** A map of properties where a schema should be, as some hand-written servers send it. Some may be called like a keyword. */
function looksLikeProperties(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  if (keys.length === 0) return false;
  return keys.every((key) => {
    if (OBJECT_KEYWORDS.has(key) || OBJECT_KINDS.has(KEYWORDS.get(key) ?? '')) return false;
    return isObject(value[key]) && typeof value[key].type === 'string';
  });
}
