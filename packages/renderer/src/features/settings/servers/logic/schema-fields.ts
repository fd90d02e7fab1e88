/** What a person can enter in one place of a form. `json` is for whatever has no better control. */
export type Shape =
  | { kind: 'text' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'choice'; values: unknown[] }
  | { kind: 'list'; item: Shape }
  | { kind: 'object'; fields: Field[] }
  | { kind: 'json' };

/** One argument of a tool, or one member of an argument. */
export interface Field {
  name: string;
  description?: string;
  required: boolean;
  shape: Shape;
  /** What it starts with; undefined for nothing. */
  initial?: unknown;
}

type Json = Record<string, unknown>;

/** Deeper objects are entered as JSON, and so is a list within a list. */
const MAX_DEPTH = 3;
const MAX_REFERENCES = 8;
const MAX_CHOICES = 200;
const MAX_FIELDS = 200;
/** What puts conditions on the arguments that a form can't show. */
const BEYOND_A_FORM = ['$ref', '$dynamicRef', 'anyOf', 'oneOf', 'allOf', 'if', 'not', 'patternProperties'];

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a form for these arguments; null when they can only be entered as JSON. Whatever a server sent, it answers. */
export function fieldsOf(schema: Json): Field[] | null {
  if (BEYOND_A_FORM.some((keyword) => keyword in schema)) return null;
  if (schema.properties === undefined) return isObject(schema.additionalProperties) ? null : [];
  return membersOf(schema, schema, 0);
}

function membersOf(schema: Json, root: Json, depth: number): Field[] | null {
  if (!isObject(schema.properties)) return null;
  const entries = Object.entries(schema.properties);
  if (entries.length > MAX_FIELDS) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return entries.map(([name, value]) => fieldOf(name, value, required.includes(name), root, depth));
}

function fieldOf(name: string, value: unknown, required: boolean, root: Json, depth: number): Field {
  const schema = resolved(value, root);
  const said = [isObject(value) ? value.description : undefined, schema?.description];
  const description = said.find((text): text is string => typeof text === 'string' && text !== '');
  const field: Field = { name, description, required, shape: schema ? shapeOf(schema, root, depth) : { kind: 'json' } };
  const initial = isObject(value) && value.default !== undefined ? value.default : schema?.default;
  if (initial !== undefined) return { ...field, initial };
  return required && schema && 'const' in schema ? { ...field, initial: schema.const } : field;
}

function shapeOf(schema: Json, root: Json, depth: number): Shape {
  if ('const' in schema) return { kind: 'choice', values: [schema.const] };
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.length <= MAX_CHOICES) {
    return { kind: 'choice', values: schema.enum };
  }
  if (BEYOND_A_FORM.some((keyword) => keyword in schema)) return { kind: 'json' };
  switch (typeOf(schema)) {
    case 'string':
      return { kind: 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return listOf(schema, root);
    case 'object': {
      const fields = depth < MAX_DEPTH ? membersOf(schema, root, depth + 1) : null;
      return fields !== null && fields.length > 0 ? { kind: 'object', fields } : { kind: 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

function listOf({ items }: Json, root: Json): Shape {
  const schema = resolved(items, root);
  const item: Shape = schema ? shapeOf(schema, root, MAX_DEPTH) : { kind: 'json' };
  return item.kind === 'json' || item.kind === 'list' ? { kind: 'json' } : { kind: 'list', item };
}

/** The one type, null aside: nothing is entered by leaving a field empty. */
function typeOf({ type }: Json): unknown {
  if (!Array.isArray(type)) return type;
  const others = type.filter((each) => each !== 'null');
  return others.length === 1 ? others[0] : undefined;
}

/** A schema with its own references followed, and as the one thing that it is besides null. */
function resolved(value: unknown, root: Json): Json | null {
  let schema = value;
  for (let followed = 0; followed < MAX_REFERENCES; followed++) {
    if (!isObject(schema)) return null;
    const { $ref } = schema;
    const union = schema.anyOf ?? schema.oneOf;
    if (typeof $ref === 'string') schema = target($ref, root);
    else if (Array.isArray(union)) {
      const others = union.filter((each) => !(isObject(each) && each.type === 'null'));
      if (others.length !== 1) return schema;
      const { anyOf: _any, oneOf: _one, ...around } = schema;
      schema = isObject(others[0]) ? { ...around, ...others[0] } : null;
    } else return schema;
  }
  return null;
}

function target(reference: string, root: Json): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}
