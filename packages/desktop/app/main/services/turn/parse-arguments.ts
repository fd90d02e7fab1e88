import { isRecord } from './digest.ts';

/** Arguments of a call, or why the tool can't be run with what the model wrote, in words that the model can act on. */
export type ParsedArguments = { ok: true; args: Record<string, unknown> } | { ok: false; reason: string };

/** Deeper values are refused: storing and sending them would overflow the stack. */
const MAX_DEPTH = 200;

/**
 * Reads the arguments of a tool call as a model wrote them. Nothing, blanks, `null` and an empty string mean that there are
 * none: `{}`. What is no JSON, and anything else that is no object, is not run: not even an object inside of a string, since
 * guessing what a model meant could do what it did not. Neither is a call with a number that would reach the tool as another.
 */
export function parseArguments(argsText: string): ParsedArguments {
  if (argsText.trim() === '') return { ok: true, args: {} };
  if (depthOf(argsText) > MAX_DEPTH) return refuse(`they are nested more than ${MAX_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(argsText);
  } catch (error) {
    return refuse(`they are not valid JSON (${(error as Error).message})`);
  }
  const inexact = inexactNumber(argsText);
  if (inexact !== undefined) {
    return refuse(`the number ${inexact} has too many digits to be passed on (as text in quotes it can be)`);
  }
  if (isRecord(value)) return { ok: true, args: value };
  if (value === null || (typeof value === 'string' && value.trim() === '')) return { ok: true, args: {} };
  return refuse(`they are ${Array.isArray(value) ? 'an array' : `a ${typeof value}`} and not an object`);
}

const refuse = (why: string): ParsedArguments => ({
  ok: false,
  reason: `The tool was not run: its arguments could not be read, because ${why}. Call it again with one JSON object.`,
});

/** Numbers that JavaScript may not have: most arguments hold none, and those are not read again. */
const LONG_NUMBER = /\d{16}|\de\+?\d{3}/i;

const parseWithSource = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { source?: string }) => unknown,
) => unknown;

/** A whole number that would become another one, such as an id of 64 bits, or one that is too large for any; as written. */
function inexactNumber(json: string): string | undefined {
  let found: string | undefined;
  if (!LONG_NUMBER.test(json)) return found;
  parseWithSource(json, (_key, value, { source = '' }) => {
    if (typeof value === 'number' && !isExact(source, value)) found ??= source.slice(0, 40);
    return value;
  });
  return found;
}

const isExact = (source: string, value: number): boolean =>
  Number.isFinite(value) && (!/^-?\d+$/.test(source) || BigInt(source) === BigInt(value));

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
