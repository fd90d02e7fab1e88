import type { FunctionDeclaration, Schema, Tool } from '@google/genai';
import type { GeminiTools } from '../../ports/tool-formats.ts';
import { isRecord } from '../wire/json.ts';
import { limitTools } from '../wire/limit-tools.ts';

const MAX_TOOLS = 512;

/**
 * Tools as Gemini takes them: a copy, since the SDK rewrites what it is given. Dropped is only what the wire refuses: the
 * parameters of a tool that has none, and an empty `required` at any depth.
 */
export function prepareTools(tools: GeminiTools, onLeftOut?: (names: string[], reason: string) => void): Tool[] {
  const all = tools.flatMap((tool) => tool.functionDeclarations);
  const declarations = limitTools(all, MAX_TOOLS, ({ name }) => name, onLeftOut).map(
    ({ name, description, parameters }): FunctionDeclaration => ({
      name,
      ...(description.trim() !== '' && { description }),
      ...(Object.keys(parameters.properties).length > 0 && { parameters: cleaned(parameters) as Schema }),
    }),
  );
  return declarations.length > 0 ? [{ functionDeclarations: declarations }] : [];
}

/** Knows schemas from maps of names, so that a property called `required` is left alone. */
function cleaned(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'required' && Array.isArray(value) && value.length === 0) continue;
    // The SDK fails on both together, and the branches have types of their own.
    if (key === 'type' && Array.isArray(schema.anyOf)) continue;
    // With it, the SDK would move everything to another field.
    if (key === '$schema') continue;
    if (key === 'properties' && isRecord(value)) {
      result[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner)]));
    } else if (key === 'items') result[key] = cleaned(value);
    else if (key === 'anyOf' && Array.isArray(value)) result[key] = value.map(cleaned);
    else result[key] = value;
  }
  return result;
}
