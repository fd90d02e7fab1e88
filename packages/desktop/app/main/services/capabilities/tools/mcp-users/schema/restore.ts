import { accepts } from './accepts.ts';
import { valuesOf } from './combine.ts';
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
        return Array.isArray(value)
          ? value.map((item, i) =>
              this.#decodeAt(item, schema.prefixItems?.[i] ?? schema.items, decoding.items, depth + 1),
            )
          : value;
      case 'rest':
        return spread(this.#decodeMembers(value, schema, depth), decoding.property);
      default:
        if (schema.items) return this.#decodeArray(value, schema.items, depth);
        return this.#decodeMembers(value, schema, depth);
    }
  }

  /**
   * JSON text of an object or array goes to a branch that was asked for as JSON text, even beside one of strings: that is
   * what the model was told to write. Otherwise the branch that takes the value as it is, or else the first that takes it
   * turned back; where there is a mistake in it, the first that it may be meant for.
   */
  #choose(value: unknown, variants: Schema[], depth: number): unknown {
    if (value === null) return value;
    if (variants.length === 1) return this.decode(value, variants[0]!, depth + 1);
    const all = variants.map((variant) => ({ variant, decoded: this.decode(value, variant, depth + 1) }));
    const readings = all.filter(({ variant, decoded }) => accepts(variant, decoded));
    const chosen =
      readings.find(({ decoded }) => typeof value === 'string' && typeof decoded === 'object') ??
      readings.find(({ variant, decoded }) => decoded === value || accepts(variant, value)) ??
      readings[0] ??
      all.find(({ variant, decoded }) => accepts(outlineOf(variant), decoded));
    return chosen ? chosen.decoded : value;
  }

  /** By the schema of its place in a tuple, which tells more than the one for all items, unless all came as JSON text. */
  #decodeAt(item: unknown, place: Schema | undefined, items: Schema, depth: number): unknown {
    if (place && this.#decodings.get(items)?.kind !== 'any') {
      const decoded = this.decode(item, place, depth);
      if (accepts(place, decoded)) return decoded;
    }
    return this.decode(item, items, depth);
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

/** What tells a branch from others at a glance: its type, and which values its properties must have. */
function outlineOf({ type, properties = {} }: Schema): Schema {
  const telling = Object.entries(properties).filter(([, one]) => valuesOf(one) !== undefined);
  return { type, properties: Object.fromEntries(telling) };
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
    // Below a cut the same properties come again, though they are not spelled out.
    if (schema[CUT]) return this.#renameFreely(value, schema, depth);
    const meant = scopesOf(schema, (branch) => accepts(branch, value));
    if (Array.isArray(value)) {
      return value.map((item, i) => this.rename(item, fitting(itemsAt(meant, i), item), depth + 1));
    }
    if (!isObject(value)) return value;
    const all = scopesOf(schema, () => true);
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      const mine = propertiesOf(meant, key);
      const declared = mine.length > 0 ? mine : propertiesOf(all, key);
      const isNamed = declared.length > 0 || all.some((scope) => scope.required?.includes(key));
      const original = isNamed ? this.#originalOf(key, value) : key;
      put(out, original, this.rename(member, fitting(declared, member) ?? elsewhere(meant, key), depth + 1));
    }
    return out;
  }

  #renameFreely(value: unknown, schema: Schema, depth: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.rename(item, schema, depth + 1));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      put(out, this.#originalOf(key, value), this.rename(member, schema, depth + 1));
    }
    return out;
  }

  /** The key itself where the original came as well. */
  #originalOf(key: string, value: JsonObject): string {
    const original = this.#originals.get(key);
    return original === undefined || Object.hasOwn(value, original) ? key : original;
  }
}

/** The schema and its branches, those of branches included; of a union only those that fit, where there are any. */
function scopesOf(schema: Schema, fits: (branch: Schema) => boolean, depth = 0): Schema[] {
  if (depth > MAX_DEPTH) return [schema];
  const chosen = (branches: Schema[] = []): Schema[] => {
    const good = branches.filter(fits);
    return good.length > 0 ? good : branches;
  };
  const branches = [
    ...chosen(schema.anyOf),
    ...chosen(schema.oneOf),
    ...(schema.allOf ?? []),
    ...[schema.then, schema.else].filter((branch) => branch !== undefined),
    ...Object.values(schema.dependentSchemas ?? {}),
  ];
  return [schema, ...branches.flatMap((branch) => scopesOf(branch, fits, depth + 1))];
}

const propertiesOf = (scopes: Schema[], key: string): Schema[] =>
  scopes.flatMap((scope) => own(scope.properties, key) ?? []);

const itemsAt = (scopes: Schema[], index: number): Schema[] =>
  scopes.flatMap((scope) => scope.prefixItems?.[index] ?? scope.items ?? []);

/** The schema of a key that is not listed. */
function elsewhere(scopes: Schema[], key: string): Schema | undefined {
  for (const scope of scopes) {
    for (const [pattern, value] of Object.entries(scope.patternProperties ?? {})) {
      if (matches(pattern, key)) return value;
    }
    if (typeof scope.additionalProperties === 'object') return scope.additionalProperties;
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

/** The first that could be meant; where none fits, all of them together, so that no renamed key is missed. */
function fitting(schemas: Schema[], value: unknown): Schema | undefined {
  if (schemas.length < 2) return schemas[0];
  return schemas.find((one) => accepts(one, value)) ?? { anyOf: schemas };
}
