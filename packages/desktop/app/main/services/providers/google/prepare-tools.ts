import type { FunctionDeclaration, Schema, Tool } from '@google/genai';
import { type GeminiTools, MAX_TOOLS } from '../../ports/tool-formats.ts';
import type { RecipeRequest } from '../recipe.ts';
import { isRecord } from '../wire/json.ts';
import { limitTools } from '../wire/limit-tools.ts';

/**
 * Tools as Gemini takes them: a copy, since the SDK rewrites what it is given. Dropped is only what the wire refuses: the
 * parameters of a tool that has none, and an empty `required` at any depth.
 */
export function prepareTools({
  tools,
  without,
  onToolsLeftOut,
}: Pick<RecipeRequest, 'tools' | 'without' | 'onToolsLeftOut'>): Tool[] {
  // Format `google`, which this recipe names, gives tools of this shape.
  const all = ((tools ?? []) as GeminiTools).flatMap((tool) => tool.functionDeclarations);
  const dropped = without.has('schema-limits') ? LIMITS : NONE;
  const declarations = limitTools(all, MAX_TOOLS.google, ({ name }) => name, onToolsLeftOut).map(
    ({ name, description, parameters }): FunctionDeclaration => ({
      name,
      ...(description.trim() !== '' && { description }),
      ...(Object.keys(parameters.properties).length > 0 && { parameters: cleaned(parameters, dropped) as Schema }),
    }),
  );
  return declarations.length > 0 ? [{ functionDeclarations: declarations }] : [];
}

const NONE: ReadonlySet<string> = new Set();
const LIMITS: ReadonlySet<string> = new Set(
  'minItems maxItems minLength maxLength minimum maximum minProperties maxProperties format'.split(' '),
);

/** Knows schemas from maps of names, so that a property called `required` is left alone. */
function cleaned(schema: unknown, dropped: ReadonlySet<string>): unknown {
  if (!isRecord(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'required' && Array.isArray(value) && value.length === 0) continue;
    // The SDK fails on both together, and the branches have types of their own.
    if (key === 'type' && Array.isArray(schema.anyOf)) continue;
    // With it, the SDK would move everything to another field.
    if (key === '$schema' || dropped.has(key)) continue;
    if (key === 'properties' && isRecord(value)) {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner, dropped)]));
    } else if (key === 'items') result[key] = cleaned(value, dropped);
    else if (key === 'anyOf' && Array.isArray(value)) result[key] = value.map((branch) => cleaned(branch, dropped));
    else result[key] = value;
  }
  return result;
}
