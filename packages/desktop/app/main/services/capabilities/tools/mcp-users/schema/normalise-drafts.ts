import { isObject, type JsonObject, type Keyword, own, put, type Schema, sameJson, typeOf, typesOf } from './json.ts';
import { DEFINITION_LIMITS } from './provider-limits.ts';

/** How the value of a keyword is read. */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'text'
  | 'count'
  | 'number'
  | 'flag'
  | 'value'
  | 'values';

/** The keywords of JSON Schema 2020-12 that are kept, with how each is read. `type`, `required` and old forms are apart. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map<Keyword, KeywordKind>([
  ['title', 'text'],
  ['description', 'text'],
  ['default', 'value'],
  ['examples', 'values'],
  ['enum', 'values'],
  ['const', 'value'],
  ['format', 'text'],
  ['pattern', 'text'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['properties', 'schema-map'],
  ['patternProperties', 'schema-map'],
  ['dependentSchemas', 'schema-map'],
  ['propertyNames', 'schema'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['items', 'schema'],
  ['prefixItems', 'schemas'],
  ['contains', 'schema'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'flag'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['allOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['readOnly', 'flag'],
  ['writeOnly', 'flag'],
  ['deprecated', 'flag'],
  ['contentMediaType', 'text'],
  ['contentEncoding', 'text'],
  ['contentSchema', 'schema'],
]);

/** JSON types, and what other languages call them in hand-written schemas. `any` and unknown words restrict nothing. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  null: 'null',
  str: 'string',
  text: 'string',
  float: 'number',
  double: 'number',
  int: 'integer',
  long: 'integer',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  dict: 'object',
  map: 'object',
};

export function readType(value: unknown): string | string[] | undefined {
  if (typeof value === 'string') return own(TYPES, value.toLowerCase());
  if (!Array.isArray(value)) return undefined;
  const types = value.map((one) => (one === null ? 'null' : readType(one)));
  // One unknown word and the union allows what we can't say.
  if (types.some((type) => typeof type !== 'string')) return undefined;
  const distinct = [...new Set(types as string[])];
  return distinct.length === 1 ? distinct[0] : distinct.length === 0 ? undefined : distinct;
}

/** Some generators write a list of one as its only element. */
export function readNames(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter((name) => typeof name === 'string'))];
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Moves the forms of older drafts and of OpenAPI to 2020-12 on a copy of one schema's own keywords; deeper ones are untouched. */
export function modernise(raw: JsonObject): JsonObject {
  if (!hasOldForms(raw)) return raw;
  const out: JsonObject = { ...raw };
  exclusive(out, 'exclusiveMinimum', 'minimum');
  exclusive(out, 'exclusiveMaximum', 'maximum');
  // Beside branches these are about what all of them make together, and the others would be about the branches.
  if (!IN_PLACE.some((keyword) => out[keyword] !== undefined)) {
    if (out.unevaluatedProperties !== undefined) out.additionalProperties ??= out.unevaluatedProperties;
    if (out.unevaluatedItems !== undefined && out.contains === undefined) out.items ??= out.unevaluatedItems;
  }
  if (Array.isArray(out.items)) {
    out.prefixItems ??= out.items;
    delete out.items;
    if (out.additionalItems !== undefined) out.items = out.additionalItems;
  }
  delete out.additionalItems;
  if (out.items === false && !isCount(out.maxItems)) {
    out.maxItems = Array.isArray(out.prefixItems) ? out.prefixItems.length : 0;
  }
  if (out.items === false) delete out.items;
  if (isObject(out.dependencies)) splitDependencies(out, out.dependencies);
  if (typeof out.divisibleBy === 'number') out.multipleOf ??= out.divisibleBy;
  if (out.example !== undefined) out.examples ??= [out.example];
  if (isObject(out.patternProperties)) openMaps(out, out.patternProperties);
  return out;
}

/** Keywords whose schemas apply to the same object. */
const IN_PLACE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'];

/** A pattern that every key matches: how some generators write a map, and providers refuse it (openclaw/openclaw#29416). */
const ANY_KEY = /^(?!\^\$$)\^?(\(?(\.|\[\\s\\S\])[*+]\??\)?)?\$?$/;

function openMaps(out: JsonObject, patterns: JsonObject): void {
  const every = Object.keys(patterns).find((pattern) => ANY_KEY.test(pattern));
  if (every === undefined) return;
  const { [every]: schema, ...others } = patterns;
  out.additionalProperties = schema;
  if (Object.keys(others).length > 0) out.patternProperties = others;
  else delete out.patternProperties;
}

function hasOldForms(raw: JsonObject): boolean {
  const { items, exclusiveMinimum, exclusiveMaximum } = raw;
  if (typeof items === 'boolean' || Array.isArray(items)) return true;
  if (typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean') return true;
  return (
    raw.additionalItems !== undefined ||
    raw.dependencies !== undefined ||
    raw.divisibleBy !== undefined ||
    raw.example !== undefined ||
    raw.unevaluatedProperties !== undefined ||
    raw.unevaluatedItems !== undefined ||
    raw.patternProperties !== undefined
  );
}

function exclusive(out: JsonObject, keyword: string, bound: string): void {
  if (typeof out[keyword] !== 'boolean') return;
  if (out[keyword] && typeof out[bound] === 'number') {
    out[keyword] = out[bound];
    delete out[bound];
  } else delete out[keyword];
}

function splitDependencies(out: JsonObject, dependencies: JsonObject): void {
  const names: JsonObject = { ...(isObject(out.dependentRequired) && out.dependentRequired) };
  const schemas: JsonObject = { ...(isObject(out.dependentSchemas) && out.dependentSchemas) };
  for (const [key, value] of Object.entries(dependencies)) {
    if (typeof value === 'string') put<unknown>(names, key, [value]);
    else put<unknown>(Array.isArray(value) ? names : schemas, key, value);
  }
  if (Object.keys(names).length > 0) out.dependentRequired = names;
  if (Object.keys(schemas).length > 0) out.dependentSchemas = schemas;
}

/** Adds null to what a schema allows (OpenAPI's `nullable`). */
export function allowNull(schema: Schema): Schema {
  const types = typesOf(schema);
  if (types.includes('null')) return schema;
  const out = { ...schema };
  if (out.enum && !out.enum.includes(null)) out.enum = [...out.enum, null];
  if (out.const !== undefined && out.const !== null) {
    out.enum = [out.const, null];
    delete out.const;
  }
  if (types.length > 0) out.type = [...types, 'null'];
  for (const union of ['anyOf', 'oneOf'] as const) {
    const branches = out[union];
    if (branches && !branches.some((branch) => typesOf(branch).includes('null')))
      out[union] = [...branches, { type: 'null' }];
  }
  return out;
}

/** The type that a schema without one means, judged by its values or by keywords that belong to one type only. */
export function inferType(schema: Schema): string | string[] | undefined {
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (values && values.length > 0) {
    const types = [...new Set(values.map(typeOf))];
    const numeric = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
    return numeric.length === 1 ? numeric[0] : numeric;
  }
  if (schema.anyOf || schema.oneOf || schema.allOf) return undefined;
  if (schema.properties || schema.additionalProperties !== undefined || schema.patternProperties) return 'object';
  if (schema.items || schema.prefixItems) return 'array';
  return undefined;
}

/** Drops values of an enum that are there twice, and those beyond what we send. */
export function distinctValues(values: unknown[]): unknown[] {
  const primitives = new Set<unknown>();
  const out: unknown[] = [];
  for (const value of values.slice(0, DEFINITION_LIMITS.enumValues)) {
    if (typeof value === 'object' && value !== null) {
      if (out.some((other) => sameJson(other, value))) continue;
    } else if (primitives.has(value)) continue;
    primitives.add(value);
    out.push(value);
  }
  return out;
}
