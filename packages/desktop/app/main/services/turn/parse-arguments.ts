import { isRecord } from './digest.ts';

/** Arguments of a call, or why the tool can't be run with what the model wrote, in words that the model can act on. */
export type ParsedArguments = { ok: true; args: Record<string, unknown> } | { ok: false; reason: string };

/** How often an object may be wrapped in a JSON string and still be taken for the object. */
const MAX_WRAPPINGS = 2;
/** Deeper values are refused: storing and sending them would overflow the stack. */
const MAX_DEPTH = 200;

/**
 * Reads the arguments of a tool call as a model wrote them.
 * - Nothing, blanks, `null` and an empty string mean that there are none: `{}`.
 * - An object that was encoded as JSON text once too often (some models do) is unwrapped: no tool takes a bare string, so
 *   there is only one reading.
 * - Anything else that is no object, and what is no JSON, is not run.
 */
export function parseArguments(argsText: string): ParsedArguments {
  let text = argsText;
  for (let wrappings = 0; wrappings <= MAX_WRAPPINGS; wrappings++) {
    if (text.trim() === '') return { ok: true, args: {} };
    if (depthOf(text) > MAX_DEPTH) return refuse(`they are nested more than ${MAX_DEPTH} levels deep`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return refuse(`they are not valid JSON (${(error as Error).message})`);
    }
    if (value === null) return { ok: true, args: {} };
    if (isRecord(value)) return { ok: true, args: value };
    if (typeof value !== 'string') {
      return refuse(`they are ${Array.isArray(value) ? 'an array' : `a ${typeof value}`} and not an object`);
    }
    text = value;
  }
  return refuse('they are a string and not an object');
}

const refuse = (why: string): ParsedArguments => ({
  ok: false,
  reason: `The tool was not run: its arguments could not be read, because ${why}. Call it again with one JSON object.`,
});

/** The deepest nesting of brackets outside of strings. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const char = json[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest;
}
