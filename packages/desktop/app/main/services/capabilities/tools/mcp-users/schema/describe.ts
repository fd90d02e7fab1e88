import { cutText, isEmpty, type Keyword, own, type Schema, typesOf } from './json.ts';
import { DEFINITION_LIMITS } from './provider-limits.ts';

/** `description (first; second)`; the words alone where there is no description. */
export function addWords(description: string | undefined, words: readonly string[]): string | undefined {
  if (words.length === 0) return description;
  const told = cutText(words.join('; '), DEFINITION_LIMITS.words);
  if (!description) return told;
  return `${description} (${told})`;
}

export function literal(value: unknown): string {
  return cutText(JSON.stringify(value) ?? 'null', 400);
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

type Phrase = (schema: Schema) => string | string[] | undefined;

/** What each keyword says, in words. */
const PHRASES: Partial<Record<Keyword, Phrase>> = {
  enum: ({ enum: values }) =>
    values!.length === 1
      ? `always ${literal(values![0])}`
      : `one of ${cutText(values!.map(literal).join(', '), 1_500)}`,
  const: ({ const: value }) => `always ${literal(value)}`,
  minLength: ({ minLength: n }) => (n! > 0 ? `at least ${many(n!, 'character', 'characters')}` : undefined),
  maxLength: ({ maxLength: n }) => `at most ${many(n!, 'character', 'characters')}`,
  pattern: ({ pattern }) => `matches ${pattern}`,
  format: ({ format }) => `format ${format}`,
  minimum: ({ minimum: n }) => `at least ${n}`,
  maximum: ({ maximum: n }) => `at most ${n}`,
  exclusiveMinimum: ({ exclusiveMinimum: n }) => `greater than ${n}`,
  exclusiveMaximum: ({ exclusiveMaximum: n }) => `less than ${n}`,
  multipleOf: ({ multipleOf: n }) => `a multiple of ${n}`,
  prefixItems: ({ prefixItems }) => `items in this order: ${prefixItems!.map((item) => shape(item)).join(', ')}`,
  minItems: ({ minItems: n }) => (n! > 0 ? `at least ${many(n!, 'item', 'items')}` : undefined),
  maxItems: ({ maxItems: n }) => `at most ${many(n!, 'item', 'items')}`,
  uniqueItems: ({ uniqueItems }) => (uniqueItems ? 'no item twice' : undefined),
  contains: ({ contains }) => `contains an item of the form ${shape(contains!)}`,
  minContains: ({ minContains: n }) => `at least ${n} such`,
  maxContains: ({ maxContains: n }) => `at most ${n} such`,
  minProperties: ({ minProperties: n }) => (n! > 0 ? `at least ${many(n!, 'key', 'keys')}` : undefined),
  maxProperties: ({ maxProperties: n }) => `at most ${many(n!, 'key', 'keys')}`,
  patternProperties: ({ patternProperties }) =>
    Object.entries(patternProperties!).map(([pattern, value]) => `keys that match ${pattern}: ${shape(value)}`),
  additionalProperties: ({ additionalProperties: more }) => {
    if (typeof more === 'object') return `other keys: ${shape(more)}`;
    return more ? 'other keys are allowed' : 'no other keys';
  },
  propertyNames: ({ propertyNames }) => `keys: ${limitWords(propertyNames!).join(', ') || shape(propertyNames!)}`,
  dependentRequired: ({ dependentRequired }) =>
    Object.entries(dependentRequired!)
      .filter(([, names]) => names.length > 0)
      .map(([key, names]) => `with "${key}" also give ${list(names)}`),
  dependentSchemas: ({ dependentSchemas }) =>
    Object.entries(dependentSchemas!).map(([key, schema]) => `with "${key}": ${condition(schema)}`),
  if: ({ if: test, then: yes, else: no }) => {
    if (!yes && !no) return undefined;
    const parts = [`if ${condition(test!)}`];
    if (yes) parts.push(`then ${condition(yes)}`);
    if (no) parts.push(`otherwise ${condition(no)}`);
    return parts.join(', ');
  },
  not: ({ not }) => `not allowed: ${condition(not!)}`,
  anyOf: ({ anyOf }) => `any of: ${anyOf!.map(condition).join(' | ')}`,
  oneOf: ({ oneOf }) => `exactly one of: ${oneOf!.map(condition).join(' | ')}`,
  allOf: ({ allOf }) => allOf!.map((part) => `also ${condition(part)}`),
  // Null as a default only says that the value may be left out.
  default: ({ default: value }) => (value === null ? undefined : `default ${literal(value)}`),
  examples: ({ examples }) => `for example ${cutText(examples!.slice(0, 5).map(literal).join(', '), 400)}`,
  readOnly: ({ readOnly }) => (readOnly ? 'set by the server' : undefined),
  deprecated: ({ deprecated }) => (deprecated ? 'deprecated' : undefined),
  contentMediaType: ({ contentMediaType }) => `content type ${contentMediaType}`,
  contentEncoding: ({ contentEncoding }) => `encoded as ${contentEncoding}`,
  contentSchema: ({ contentSchema }) => `the content is of the form ${shape(contentSchema!)}`,
};

/** What one keyword of a schema says, in words; nothing for those that say nothing to a model. */
export function describeKeyword(schema: Schema, keyword: string): string[] {
  const said = schema[keyword as Keyword] === undefined ? undefined : PHRASES[keyword as Keyword]?.(schema);
  if (said === undefined) return [];
  return typeof said === 'string' ? [said] : said;
}

/** Keywords that a shape shows by itself. */
const SHAPED = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  'prefixItems',
]);
const UNIONS = new Set(['anyOf', 'oneOf']);

/** The limits of a schema in words. */
export function limitWords(schema: Schema, except: ReadonlySet<string> = SHAPED): string[] {
  return Object.keys(schema).flatMap((keyword) => (except.has(keyword) ? [] : describeKeyword(schema, keyword)));
}

/** Rules about an object: which keys have to be there, and what their values are. Falls back to its shape. */
export function condition(schema: Schema): string {
  const said: string[] = [];
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const values = value.const !== undefined ? [value.const] : value.enum;
    if (values) said.push(`"${key}" is ${values.map(literal).join(' or ')}`);
    else if (!isEmpty(value)) said.push(`"${key}" is ${shape(value)}`);
  }
  const names = schema.required ?? [];
  if (names.length > 0) said.push(`${list(names)} ${names.length === 1 ? 'is' : 'are'} given`);
  if (said.length === 0 && typesOf(schema).length > 0) return shape(schema);
  const rest = limitWords(schema, OBJECT_RULES);
  return cutText([...said, ...rest].join(' and ') || 'anything', DEFINITION_LIMITS.words);
}

const OBJECT_RULES = new Set(['type', 'title', 'description', 'properties', 'required', 'additionalProperties']);

/** A schema in the notation of TypeScript's types, with its descriptions and limits in brackets; cut when very long. */
export function shape(schema: Schema, budget: number = DEFINITION_LIMITS.words): string {
  return cutText(write(schema, 0), budget);
}

function write(schema: Schema, depth: number): string {
  if (depth > 12) return '…';
  const branches = schema.anyOf ?? schema.oneOf;
  const base = branches ? branches.map((branch) => write(branch, depth + 1)).join(' | ') : writeBase(schema, depth);
  const notes = limitWords(schema, branches ? new Set([...SHAPED, ...UNIONS]) : SHAPED_OBJECT);
  const told = [...(schema.description ? [schema.description] : []), ...notes];
  return told.length > 0 ? `${base} (${told.join('; ')})` : base;
}

const SHAPED_OBJECT = new Set([...SHAPED, 'additionalProperties']);

function writeBase(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const types = typesOf(schema);
  if (types.length === 0) return 'any';
  return types.map((type) => writeType(type, schema, depth)).join(' | ');
}

function writeType(type: string, schema: Schema, depth: number): string {
  if (type === 'array') {
    if (schema.prefixItems) return `[${schema.prefixItems.map((item) => write(item, depth + 1)).join(', ')}]`;
    const item = write(schema.items ?? {}, depth + 1);
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object') return type;
  const members = Object.entries(schema.properties ?? {}).map(
    ([key, value]) => `${name(key)}${schema.required?.includes(key) ? '' : '?'}: ${write(value, depth + 1)}`,
  );
  // Required without being defined: all that is known of it.
  for (const key of schema.required ?? []) {
    if (own(schema.properties, key) === undefined) members.push(`${name(key)}: any`);
  }
  const more = schema.additionalProperties;
  if (typeof more === 'object') members.push(`[key: string]: ${write(more, depth + 1)}`);
  else if (more === true || (more === undefined && members.length === 0)) members.push('[key: string]: any');
  return `{${members.join(', ')}}`;
}

const name = (key: string): string => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : JSON.stringify(key));
