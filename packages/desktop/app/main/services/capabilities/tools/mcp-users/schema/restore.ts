import { accepts } from './accepts.ts';
import type { Decoding } from './gemini-target.ts';
import { CUT, isObject, type JsonObject, own, put, type Schema, typeOf, typesOf } from './json.ts';

/** Deepest level of arguments that is looked at; what is deeper goes as it came. */
const MAX_DEPTH = 64;

/** Turns values that came in another form back, along the schema (with wire names) that was written for the provider. */
export class Decoder {
  readonly #decodings: ReadonlyMap<Schema, Decoding>;

  constructor(decodings: ReadonlyMap<Schema, Decoding>) {
    this.#decodings = decodings;
  }

  decode(value: unknown, schema: Schema, depth = 0): unknown {
    if (depth > MAX_DEPTH) return value;
    const decoding = this.#decodings.get(schema);
    switch (decoding?.kind) {
      case 'null':
        return null;
      case 'any':
        return typeof value === 'string' ? parse(value, () => true) : value;
      case 'json':
        return typeof value === 'string' ? parse(value, (parsed) => typesOf(schema).includes(typeOf(parsed))) : value;
      case 'enum':
        return typeof value === 'string' && decoding.values.has(value) ? decoding.values.get(value) : value;
      case 'union':
        return this.#choose(value, decoding.variants, depth);
      case 'items':
        return this.#decodeArray(value, decoding.items, depth);
      case 'rest':
        return spread(this.#decodeMembers(value, schema, depth), decoding.property);
      default:
        if (schema.items) return this.#decodeArray(value, schema.items, depth);
        return this.#decodeMembers(value, schema, depth);
    }
  }

  /** The branch that takes the value as it is, or else the first that takes it turned back. */
  #choose(value: unknown, variants: Schema[], depth: number): unknown {
    if (value === null) return value;
    if (variants.length === 1) return this.decode(value, variants[0]!, depth + 1);
    let fallback: unknown = value;
    for (const variant of variants) {
      const decoded = this.decode(value, variant, depth + 1);
      if (accepts(variant, decoded)) {
        if (decoded === value || accepts(variant, value)) return decoded;
        if (fallback === value) fallback = decoded;
      }
    }
    return fallback;
  }

  #decodeArray(value: unknown, items: Schema, depth: number): unknown {
    return Array.isArray(value) ? value.map((item) => this.decode(item, items, depth + 1)) : value;
  }

  #decodeMembers(value: unknown, schema: Schema, depth: number): unknown {
    if (!schema.properties || !isObject(value)) return value;
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const property = own(schema.properties, key);
      put<unknown>(out, key, property ? this.decode(member, property, depth + 1) : member);
    }
    return out;
  }
}

function parse(text: string, fits: (parsed: unknown) => boolean): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return fits(parsed) ? parsed : text;
  } catch {
    return text;
  }
}

/** Puts the keys that came in one property beside the others; those that came by themselves win. */
function spread(value: unknown, property: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, property)) return value;
  const { [property]: rest, ...others } = value;
  const parsed = typeof rest === 'string' ? parse(rest, isObject) : rest;
  if (!isObject(parsed)) return parsed === '' || parsed === null ? others : value;
  const out: JsonObject = {};
  for (const [key, member] of [...Object.entries(parsed), ...Object.entries(others)]) put(out, key, member);
  return out;
}

/** Gives renamed properties their own names back, wherever the schema (with wire names) has them. */
export class Renamer {
  readonly #originals: ReadonlyMap<string, string>;

  /** `wire`: original → wire name. */
  constructor(wire: ReadonlyMap<string, string>) {
    this.#originals = new Map([...wire].map(([original, name]) => [name, original]));
  }

  rename(value: unknown, schema: Schema | undefined, depth = 0): unknown {
    if (schema === undefined || depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) {
      return value.map((item, i) => this.rename(item, schema[CUT] ? schema : itemAt(schema, i, item), depth + 1));
    }
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const original = this.#originals.get(key);
      // Below a cut the same properties come again, though they are not spelled out.
      const property = schema[CUT] ? schema : propertyOf(schema, key, member);
      const declared = schema[CUT] || (original !== undefined && isDeclared(schema, key));
      const free = original !== undefined && declared && !Object.hasOwn(value, original);
      put(out, free ? original : key, this.rename(member, property ?? elsewhere(schema, key), depth + 1));
    }
    return out;
  }
}

function branchesOf(schema: Schema): Schema[] {
  const single = [schema.then, schema.else].filter((branch) => branch !== undefined);
  const dependent = Object.values(schema.dependentSchemas ?? {});
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), ...single, ...dependent];
}

/** The schemas of a property, in the schema itself and in its branches. */
function propertiesOf(schema: Schema, key: string, depth = 0): Schema[] {
  if (depth > MAX_DEPTH) return [];
  const mine = own(schema.properties, key);
  const theirs = branchesOf(schema).flatMap((branch) => propertiesOf(branch, key, depth + 1));
  return mine ? [mine, ...theirs] : theirs;
}

const isDeclared = (schema: Schema, key: string): boolean => propertiesOf(schema, key).length > 0;

function propertyOf(schema: Schema, key: string, member: unknown): Schema | undefined {
  return fitting(propertiesOf(schema, key), member);
}

/** The schema of a key that is not listed. */
function elsewhere(schema: Schema, key: string): Schema | undefined {
  for (const one of [schema, ...branchesOf(schema)]) {
    for (const [pattern, value] of Object.entries(one.patternProperties ?? {})) if (matches(pattern, key)) return value;
    if (typeof one.additionalProperties === 'object') return one.additionalProperties;
  }
  return undefined;
}

function matches(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key);
  } catch {
    return false;
  }
}

function itemAt(schema: Schema, index: number, item: unknown): Schema | undefined {
  const found = [schema, ...branchesOf(schema)].flatMap((one) => one.prefixItems?.[index] ?? one.items ?? []);
  return fitting(found, item);
}

/** The first that could be meant; where none fits, all of them together, so that no renamed key is missed. */
function fitting(schemas: Schema[], value: unknown): Schema | undefined {
  if (schemas.length < 2) return schemas[0];
  return schemas.find((one) => accepts(one, value)) ?? { anyOf: schemas };
}
