import { isObject } from './schema/json.ts';

/** A parameter whose value the server wants in a header as well, so that what stands before it can route by it. */
export interface HeaderParameter {
  /** Keys from the arguments down to the value. */
  path: string[];
  /** Whole name of the header. */
  header: string;
}

type Json = Record<string, unknown>;

const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: unknown[] = ['string', 'integer', 'boolean'];
/** What is printable in a header as it stands. */
const PLAIN = /^[\t\x20-\x7e]+$/;
const MAX_DEPTH = 64;

/**
 * Reads the `x-mcp-header` declarations of a tool's input schema (revision 2026-07-28).
 * @returns the parameters; or, as text, why the tool must not be used
 */
export function readHeaderParameters(inputSchema: unknown): HeaderParameter[] | string {
  const parameters: HeaderParameter[] = [];
  const taken = new Set<string>();

  const declare = (schema: Json, path: string[], isReachable: boolean): string | undefined => {
    const name = schema[KEYWORD];
    const where = path.join('.') || 'the whole input';
    if (!isReachable || path.length === 0) return `A header is declared for ${where}, which is no plain parameter.`;
    if (typeof name !== 'string' || !TOKEN.test(name)) return `The header declared for ${where} has no valid name.`;
    if (!TYPES.includes(schema.type)) return `A header is declared for ${where}, which is no text, integer or boolean.`;
    if (taken.has(name.toLowerCase())) return `The header “${name}” is declared twice.`;
    taken.add(name.toLowerCase());
    parameters.push({ path, header: `Mcp-Param-${name}` });
    return undefined;
  };

  /** `isReachable`: there is exactly one place in the arguments that the schema is about. */
  const visit = (schema: unknown, path: string[], isReachable: boolean): string | undefined => {
    if (path.length > MAX_DEPTH) return undefined;
    if (Array.isArray(schema)) return firstOf(schema, (each) => visit(each, path, false));
    if (!isObject(schema)) return undefined;
    const problem = KEYWORD in schema ? declare(schema, path, isReachable) : undefined;
    if (problem) return problem;
    return firstOf(Object.entries(schema), ([keyword, value]) => {
      if (DATA.has(keyword)) return undefined;
      if (keyword === 'properties' && isObject(value))
        return firstOf(Object.entries(value), ([key, child]) => visit(child, [...path, key], isReachable));
      if (MAPS.has(keyword) && isObject(value))
        return firstOf(Object.entries(value), ([key, child]) => visit(child, [...path, key], false));
      return visit(value, [...path, keyword], false);
    });
  };

  return visit(inputSchema, [], true) ?? parameters;
}

/** Keywords whose values are data, whatever they look like. */
const DATA = new Set(['const', 'enum', 'default', 'examples', KEYWORD]);
/** Keywords that hold schemas by name. */
const MAPS = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);

function firstOf<T>(items: Iterable<T>, look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The headers of one call. What isn't given, or can't be said in a header, has none. */
export function headersOf(parameters: readonly HeaderParameter[], args: Json): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of parameters) {
    let value: unknown = args;
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const text = asText(value);
    if (text !== undefined) headers[header] = encode(text);
  }
  return headers;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Text that a header would change or refuse is sent as Base64, marked as such; text that looks like the mark, too. */
function encode(text: string): string {
  const isSafe = PLAIN.test(text) && text === text.trim() && !(text.startsWith('=?base64?') && text.endsWith('?='));
  return isSafe ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
