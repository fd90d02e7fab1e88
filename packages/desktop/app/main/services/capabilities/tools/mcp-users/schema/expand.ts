import { flattenUnions, intersect, omit, valuesOf } from './combine.ts';
import {
  CUT,
  cutText,
  isEmpty,
  isNever,
  isObject,
  type JsonObject,
  never,
  own,
  put,
  type Schema,
  setKeyword,
} from './json.ts';
import {
  allowNull,
  distinctValues,
  inferType,
  isCount,
  KEYWORDS,
  modernise,
  readNames,
  readType,
} from './normalise-drafts.ts';
import { DEFINITION_LIMITS } from './provider-limits.ts';
import { RefResolver } from './resolve-refs.ts';

export interface ExpandedSchema {
  schema: Schema;
  /** Every property name in it, at whatever depth. */
  names: ReadonlySet<string>;
  /** What had to be left out, for the person who looks at the tool. */
  warnings: string[];
}

interface RefLimits {
  /** How often a definition may stand within itself. */
  repeats: number;
  /** How many references may stand within one another. */
  depth: number;
}

/**
 * Tried in turn until the result fits: most definitions need the first only. A model pays for every character of every
 * request, so what refers to itself from many places is spelled out less often.
 */
const REF_LIMITS: readonly RefLimits[] = [
  { repeats: 1, depth: 24 },
  { repeats: 0, depth: 24 },
  { repeats: 0, depth: 8 },
  { repeats: 0, depth: 4 },
  { repeats: 0, depth: 2 },
];

/**
 * Reads a schema (plain JSON, as `readJson` gives it) into one of the 2020-12 form without references: each is replaced by
 * what it points to, merged with what stands beside it; recursion ends in an open schema. `size`: characters of the original.
 */
export function expand(root: unknown, size: number): ExpandedSchema {
  const resolver = new RefResolver(root);
  const budget = Math.min(DEFINITION_LIMITS.characters, Math.max(DEFINITION_LIMITS.smallCharacters, GROWTH * size));
  for (const limits of REF_LIMITS) {
    const attempt = new Expansion(root, resolver, limits, budget);
    const schema = attempt.run();
    if (!attempt.tooLarge) return { schema, names: attempt.names, warnings: [...attempt.warnings] };
  }
  const last = new Expansion(root, resolver, { repeats: 0, depth: 0 }, budget);
  const schema = last.run();
  last.warnings.add('The definition is very large; parts of it are not shown to the model.');
  return { schema, names: last.names, warnings: [...last.warnings] };
}

/** How much larger than the original a definition may become, beyond what is small anyway. */
const GROWTH = 3;
const NO_SCHEMA = 'A part of the definition is not a schema; anything is allowed there.';
/** What a schema costs by itself, in characters. */
const SCHEMA_COST = 20;

class Expansion {
  readonly names = new Set<string>();
  readonly warnings = new Set<string>();
  tooLarge = false;
  readonly #root: unknown;
  readonly #resolver: RefResolver;
  readonly #limits: RefLimits;
  /** References that are being replaced, outermost first. */
  readonly #open: unknown[] = [];
  #schemas: number = DEFINITION_LIMITS.schemas;
  #characters: number;

  constructor(root: unknown, resolver: RefResolver, limits: RefLimits, characters: number) {
    this.#root = root;
    this.#resolver = resolver;
    this.#limits = limits;
    this.#characters = characters;
  }

  run(): Schema {
    return this.#read(this.#root, 0);
  }

  #read(raw: unknown, depth: number): Schema {
    if (raw === true || raw === undefined) return {};
    if (raw === false) return never();
    if (!isObject(raw)) {
      this.warnings.add(NO_SCHEMA);
      return {};
    }
    this.#characters -= SCHEMA_COST;
    if (--this.#schemas < 0 || this.#characters < 0) {
      this.tooLarge = true;
      return cutShort(raw);
    }
    if (depth > DEFINITION_LIMITS.depth) {
      this.warnings.add('The definition is nested very deeply; its innermost parts are not shown to the model.');
      return cutShort(raw);
    }
    let schema = this.#readOwn(raw, depth);
    const ref = raw.$ref ?? raw.$dynamicRef ?? raw.$recursiveRef;
    if (typeof ref === 'string') {
      const target = this.#follow(ref, raw, depth);
      const note =
        target[CUT] && schema.description ? { description: `${schema.description} (${target.description})` } : {};
      schema = { ...intersect(target, schema), ...note };
    }
    if (schema.allOf) schema = this.#mergeAll(schema);
    if (schema.type === undefined) {
      const type = inferType(schema);
      if (type !== undefined) schema = { type, ...schema };
    }
    return raw.nullable === true ? allowNull(schema) : schema;
  }

  #follow(ref: string, from: JsonObject, depth: number): Schema {
    const target = this.#resolver.resolve(ref, from);
    if (target === undefined) {
      const kind = /^[a-z][a-z0-9+.-]*:/i.test(ref) ? 'is not part of the definition' : 'leads nowhere';
      this.warnings.add(`The reference ${cutText(ref, 120)} ${kind}; anything is allowed there.`);
      return {};
    }
    const within = this.#open.filter((one) => one === target).length;
    if (within > this.#limits.repeats || this.#open.length > this.#limits.depth) {
      return cutShort(target, ref === '#' ? 'the arguments' : ref.slice(ref.lastIndexOf('/') + 1));
    }
    this.#open.push(target);
    const schema = this.#read(target, depth + 1);
    this.#open.pop();
    return schema;
  }

  /** Parts of `allOf` that can be joined with the rest are; what is left stays in `allOf`. */
  #mergeAll(schema: Schema): Schema {
    const parts = schema.allOf!;
    // What stands beside `allOf` describes the whole, so it comes last.
    let joined: Schema = {};
    for (const part of parts) joined = intersect(joined, part);
    return intersect(joined, omit(schema, ['allOf']));
  }

  #readOwn(original: JsonObject, depth: number): Schema {
    const raw = modernise(original);
    const out: Schema = {};
    const type = readType(raw.type);
    if (type !== undefined) out.type = type;
    for (const keyword of Object.keys(raw)) {
      const kind = KEYWORDS.get(keyword);
      if (kind === undefined) continue;
      const value = this.#readValue(keyword, kind, raw, depth);
      if (value !== undefined) setKeyword(out, keyword, value);
    }
    this.#readNamesAndMore(raw, out, depth);
    return out;
  }

  #readValue(keyword: string, kind: string, raw: JsonObject, depth: number): unknown {
    const value = raw[keyword];
    switch (kind) {
      case 'text':
        if (typeof value !== 'string' || value === '') return undefined;
        this.#characters -= value.length;
        return cutText(value, DEFINITION_LIMITS.description);
      case 'count':
        return isCount(value) ? value : undefined;
      case 'number':
        return typeof value === 'number' && (keyword !== 'multipleOf' || value > 0) ? value : undefined;
      case 'flag':
        return typeof value === 'boolean' ? value : undefined;
      case 'value':
        this.#characters -= size(value);
        return value;
      case 'values': {
        if (!Array.isArray(value) || value.length === 0) return undefined;
        if (value.length > DEFINITION_LIMITS.enumValues) {
          this.warnings.add(`Only the first ${DEFINITION_LIMITS.enumValues} values of a list are shown to the model.`);
        }
        this.#characters -= size(value);
        return distinctValues(value);
      }
      case 'schema':
        return this.#read(value, depth + 1);
      case 'schemas':
        if (!Array.isArray(value) || value.length === 0) return undefined;
        return this.#readBranches(keyword, value, raw.discriminator, depth);
      default:
        if (isObject(value)) return this.#readMap(keyword, value, depth);
        // An empty list is what some languages make of an empty map.
        if (!Array.isArray(value) || value.length > 0) this.warnings.add(NO_SCHEMA);
        return undefined;
    }
  }

  #readBranches(keyword: string, branches: unknown[], discriminator: unknown, depth: number): Schema[] {
    const read = branches.map((one) => toldApart(this.#read(one, depth + 1), one, discriminator));
    if (keyword !== 'anyOf' && keyword !== 'oneOf') return read;
    const flat = keyword === 'anyOf' ? flattenUnions(read) : read;
    // Unions within a union often say the same once more, null above all.
    const distinct =
      flat.length > read.length ? [...new Map(flat.map((one) => [JSON.stringify(one), one])).values()] : flat;
    const possible = distinct.filter((one) => !isNever(one));
    return possible.length > 0 ? possible : read;
  }

  #readMap(keyword: string, map: JsonObject, depth: number): Record<string, Schema> {
    const out: Record<string, Schema> = {};
    for (const key of Object.keys(map)) {
      this.#characters -= key.length;
      if (keyword !== 'patternProperties') this.names.add(key);
      put(out, key, this.#read(map[key], depth + 1));
      if (this.tooLarge) break;
    }
    return out;
  }

  /** `required` in its two forms, what depends on it, and `additionalProperties`. */
  #readNamesAndMore(raw: JsonObject, out: Schema, depth: number): void {
    const required = readNames(raw.required) ?? [];
    if (isObject(raw.properties) && out.properties) {
      for (const key of Object.keys(raw.properties)) {
        const property = raw.properties[key];
        if (isObject(property) && property.required === true && !required.includes(key)) required.push(key);
        const read = own(out.properties, key);
        // A property that is never allowed is best not shown.
        if (read && isNever(read)) delete out.properties[key];
      }
    }
    // Named without being defined, it must not get the new name of another.
    for (const key of required) this.names.add(key);
    if (required.length > 0) out.required = required;
    if (typeof raw.additionalProperties === 'boolean') out.additionalProperties = raw.additionalProperties;
    else if (isObject(raw.additionalProperties)) {
      const schema = this.#read(raw.additionalProperties, depth + 1);
      out.additionalProperties = isEmpty(schema) ? true : schema;
    }
    if (isObject(raw.dependentRequired)) {
      const names: Record<string, string[]> = {};
      for (const [key, value] of Object.entries(raw.dependentRequired)) {
        put(names, key, readNames(value) ?? []);
        for (const name of [key, ...(own(names, key) ?? [])]) this.names.add(name);
      }
      out.dependentRequired = names;
    }
  }
}

/** A branch with the value of one property that stands for it in OpenAPI, where the branch itself doesn't name that value. */
function toldApart(schema: Schema, branch: unknown, discriminator: unknown): Schema {
  const key = isObject(discriminator) ? discriminator.propertyName : undefined;
  const ref = isObject(branch) ? branch.$ref : undefined;
  if (typeof key !== 'string' || typeof ref !== 'string' || !isObject(discriminator)) return schema;
  const property = own(schema.properties, key);
  if (property && valuesOf(property)) return schema;
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const mapped = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
  const values = mapped.filter(([, to]) => to === ref || to === name).map(([value]) => value);
  const properties: Record<string, Schema> = {};
  put(properties, key, { type: 'string', enum: values.length > 0 ? values : [name] });
  return intersect(schema, { type: 'object', properties, required: [key] });
}

/** What stands where recursion or depth was cut: open, of the type it would have had. */
function cutShort(raw: unknown, name?: string): Schema {
  const out: Schema = { [CUT]: true };
  if (isObject(raw)) {
    const type = readType(raw.type) ?? inferType(raw as Schema);
    if (type !== undefined) out.type = type;
  }
  out.description = name
    ? `Same shape as ${cutText(name, 80)} above, not spelled out again`
    : 'Anything; not spelled out any further';
  return out;
}

function size(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' ? (JSON.stringify(value)?.length ?? 0) : 5;
}
