import {
  CUT,
  isEmpty,
  isNever,
  type Keyword,
  never,
  own,
  put,
  type Schema,
  sameJson,
  setKeyword,
  typesOf,
} from './json.ts';

/**
 * One schema for values that satisfy both. What describes (title, description, default, …) is taken from `b` where both have
 * it. What can't be joined is kept in `allOf`.
 */
export function intersect(a: Schema, b: Schema): Schema {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  if (isNever(a) || isNever(b)) return never();
  const out: Schema = { ...a };
  const rest: Schema[] = [];
  for (const keyword of Object.keys(b) as Keyword[]) {
    // These go with their `if`, which is joined as one.
    if ((keyword === 'then' || keyword === 'else') && a.if !== undefined) continue;
    if (a[keyword] === undefined) setKeyword(out, keyword, b[keyword]);
    else joinKeyword(keyword, a, b, out, rest);
  }
  if (out.additionalProperties === false && a.properties && b.properties) {
    // Closed to what one side lists: as written hardly anything would satisfy both, and it is never meant so.
    delete out.additionalProperties;
  }
  if (b[CUT]) out[CUT] = true;
  if (rest.length > 0) out.allOf = [...(out.allOf ?? []), ...rest];
  return out;
}

function joinKeyword(keyword: Keyword, a: Schema, b: Schema, out: Schema, rest: Schema[]): void {
  switch (keyword) {
    case 'type': {
      const types = intersectTypes(typesOf(a), typesOf(b));
      out.type = types.length === 1 ? types[0] : types.length === 0 ? b.type : types;
      return;
    }
    case 'properties':
    case 'patternProperties':
    case 'dependentSchemas': {
      const map = { ...a[keyword] };
      for (const [key, schema] of Object.entries(b[keyword]!)) {
        const other = own(map, key);
        put(map, key, other ? intersect(other, schema) : schema);
      }
      out[keyword] = map;
      return;
    }
    case 'required':
      out.required = [...new Set([...a.required!, ...b.required!])];
      return;
    case 'enum': {
      const common = a.enum!.filter((value) => b.enum!.some((other) => sameJson(value, other)));
      out.enum = common.length > 0 ? common : b.enum;
      return;
    }
    case 'minimum':
    case 'exclusiveMinimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
    case 'minContains':
      out[keyword] = Math.max(a[keyword]!, b[keyword]!);
      return;
    case 'maximum':
    case 'exclusiveMaximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
    case 'maxContains':
      out[keyword] = Math.min(a[keyword]!, b[keyword]!);
      return;
    case 'items':
    case 'propertyNames':
      out[keyword] = intersect(a[keyword]!, b[keyword]!);
      return;
    case 'additionalProperties':
      out.additionalProperties = joinAdditional(a.additionalProperties!, b.additionalProperties!);
      return;
    case 'uniqueItems':
      out.uniqueItems = a.uniqueItems || b.uniqueItems;
      return;
    case 'allOf':
      out.allOf = [...a.allOf!, ...b.allOf!];
      return;
    case 'dependentRequired': {
      const map = { ...a.dependentRequired };
      for (const [key, names] of Object.entries(b.dependentRequired!)) {
        put(map, key, [...new Set([...(own(map, key) ?? []), ...names])]);
      }
      out.dependentRequired = map;
      return;
    }
    case 'if':
      rest.push(pick(b, ['if', 'then', 'else']));
      return;
    case 'anyOf':
    case 'oneOf':
    case 'not':
    case 'pattern':
    case 'multipleOf':
    case 'contains':
    case 'prefixItems':
    case 'const':
      if (!sameJson(a[keyword], b[keyword])) rest.push({ [keyword]: b[keyword] });
      return;
    default:
      setKeyword(out, keyword, b[keyword]);
  }
}

function joinAdditional(a: boolean | Schema, b: boolean | Schema): boolean | Schema {
  if (a === false || b === false) return false;
  if (a === true) return b;
  return b === true ? a : intersect(a, b);
}

function intersectTypes(a: string[], b: string[]): string[] {
  const common = a.filter((type) => b.includes(type));
  const narrowed = (wide: string[], narrow: string[]) => wide.includes('number') && narrow.includes('integer');
  if (common.includes('integer') || common.includes('number')) return common;
  return narrowed(a, b) || narrowed(b, a) ? [...common, 'integer'] : common;
}

/** The named keywords of a schema. */
export function pick(schema: Schema, keywords: readonly Keyword[]): Schema {
  const out: Schema = {};
  for (const keyword of keywords) if (schema[keyword] !== undefined) setKeyword(out, keyword, schema[keyword]);
  return out;
}

/** The schema without the named keywords. */
export function omit(schema: Schema, keywords: readonly Keyword[]): Schema {
  const out = { ...schema };
  for (const keyword of keywords) delete out[keyword];
  return out;
}

/** One schema for values that satisfy any of the given ones: a merged enum where all are values, otherwise `anyOf`. */
export function unite(schemas: Schema[]): Schema {
  const distinct = new Map<string, Schema>();
  for (const schema of flattenUnions(schemas)) {
    if (isNever(schema)) continue;
    const key = JSON.stringify(omit(schema, ['title', 'description', 'default', 'examples']));
    const twin = distinct.get(key);
    distinct.set(key, twin ? joinNotes(twin, schema) : schema);
  }
  const branches = [...distinct.values()];
  if (branches.length === 0) return {};
  if (branches.length === 1) return branches[0]!;
  if (branches.some(isEmpty)) return {};
  if (branches.every((schema) => valuesOf(schema) !== undefined)) return uniteValues(branches);
  return { anyOf: branches };
}

function joinNotes(a: Schema, b: Schema): Schema {
  const notes = [...new Set([a.description, b.description].filter((note) => note !== undefined))];
  const joined = omit(a, ['default', 'examples']);
  if (notes.length > 0) joined.description = notes.join(' / ');
  return joined;
}

/** The branches of an `anyOf`, with those of an `anyOf` among them in its place where nothing else is said there. */
export const flattenUnions = (schemas: Schema[]): Schema[] =>
  schemas.flatMap((one) => (one.anyOf !== undefined && Object.keys(one).length === 1 ? one.anyOf : [one]));

/**
 * The schema of an object with the properties that its conditions bring in, as optional ones, for a form that can't say when.
 * The schema itself where there are none.
 */
export function withConditional(schema: Schema): Schema {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes('object')) return schema;
  const found = new Map<string, Schema[]>();
  collectConditional(schema, found);
  const added = [...found].filter(([key]) => own(schema.properties, key) === undefined);
  if (added.length === 0) return schema;
  const properties = { ...schema.properties };
  for (const [key, versions] of added) put(properties, key, unite(versions));
  return { ...schema, properties };
}

function collectConditional(schema: Schema, found: Map<string, Schema[]>): void {
  for (const part of schema.allOf ?? []) collectConditional(part, found);
  for (const branch of [schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})]) {
    if (!branch) continue;
    for (const [key, value] of Object.entries(branch.properties ?? {})) {
      if (!isNever(value)) found.set(key, [...(found.get(key) ?? []), value]);
    }
    collectConditional(branch, found);
  }
}

/** The only values that a schema allows, where it lists them. */
export function valuesOf(schema: Schema): unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return schema.enum;
}

function uniteValues(schemas: Schema[]): Schema {
  const values: unknown[] = [];
  for (const value of schemas.flatMap((schema) => valuesOf(schema)!)) {
    if (!values.some((other) => sameJson(value, other))) values.push(value);
  }
  const types = [...new Set(schemas.flatMap(typesOf))];
  const notes = [...new Set(schemas.flatMap((schema) => schema.description ?? []))];
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    enum: values,
    ...(notes.length > 0 && { description: notes.join('; ') }),
  };
}
