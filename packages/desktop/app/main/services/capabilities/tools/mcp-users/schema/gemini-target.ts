import { intersect, omit, unite, valuesOf, withConditional } from './combine.ts';
import { addWords, condition, describeKeyword, limitWords, shape } from './describe.ts';
import { isNever, type Keyword, never, own, put, type Schema, setKeyword, typeOf, typesOf } from './json.ts';
import { GEMINI_FORMATS, GEMINI_KEYWORDS, type ProviderLimits } from './provider-limits.ts';

/** A schema as Gemini's API knows it. */
export interface GeminiSchema {
  type?: string;
  description?: string;
  nullable?: boolean;
  anyOf?: GeminiSchema[];
  enum?: string[];
  format?: string;
  items?: GeminiSchema;
  properties?: Record<string, GeminiSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

/** How a value that had to be sent in another form is turned back. */
export type Decoding =
  /** It may come as JSON text. */
  | { kind: 'json' }
  /** Any value comes as JSON text; what is not JSON is a string as it stands. */
  | { kind: 'any' }
  /** Values of an enum by the text that stands for each. */
  | { kind: 'enum'; values: ReadonlyMap<string, unknown> }
  | { kind: 'null' }
  /** One of several schemas, none of which stands in the source as such. */
  | { kind: 'union'; variants: Schema[] }
  /** The schema that was really written for the items of this array, whatever their places. */
  | { kind: 'items'; items: Schema }
  /** The property that carries keys which are not listed, as JSON text. */
  | { kind: 'rest'; property: string };

const REST = 'more_arguments';

/** Alternatives beyond this number are told in words: unions within unions multiply. */
const MAX_VARIANTS = 100;

/** Writes schemas in Gemini's subset of OpenAPI, and remembers what has to be turned back. */
export class GeminiWriter {
  readonly decodings = new Map<Schema, Decoding>();
  readonly #limits: ProviderLimits;

  constructor(limits: ProviderLimits) {
    this.#limits = limits;
  }

  /** The properties of the tool's arguments. Free keys beside them come in a property of their own. */
  writeRoot(root: Schema & { properties: Record<string, Schema> }): Record<string, GeminiSchema> {
    const out: Record<string, GeminiSchema> = {};
    for (const key of Object.keys(root.properties)) put(out, key, this.write(root.properties[key]!, 2));
    const more = root.additionalProperties;
    const free = typeof more === 'object' || root.patternProperties || (more === true && Object.keys(out).length === 0);
    if (free && own(out, REST) === undefined) {
      const rest: Schema = {
        type: 'object',
        additionalProperties: more || undefined,
        patternProperties: root.patternProperties,
      };
      put(out, REST, asText(`Arguments under other names, as the text of one JSON object: ${shape(rest)}`));
      this.decodings.set(root, { kind: 'rest', property: REST });
    }
    return out;
  }

  /** `level` counts objects and arrays, as in {@link ProviderLimits.maxNesting}. */
  write(schema: Schema, level: number): GeminiSchema {
    const { variants, nullable, words } = this.#variantsOf(withConditional(schema));
    const description = addWords(schema.description ?? schema.title, words);
    if (variants.length === 0) {
      this.decodings.set(schema, { kind: 'null' });
      return { type: 'string', nullable: true, description: addWords(description, ['always null']) };
    }
    if (variants.length === 1) {
      const only = variants[0]!;
      const out = this.#writeOne(only, level);
      if (only === schema) return complete(out, description, nullable);
      this.decodings.set(schema, { kind: 'union', variants });
      const told = only.description === schema.description ? undefined : only.description;
      return complete(complete(out, told, false), description, nullable);
    }
    const branches = variants.map((variant) => {
      const told = variant.description ?? variant.title;
      return complete(this.#writeOne(variant, level), told, false);
    });
    this.decodings.set(schema, { kind: 'union', variants });
    // Beside `anyOf` nothing else may stand, so what is said of the whole goes to its first branch.
    const first = branches[0]!;
    if (description !== undefined) {
      first.description = first.description ? `${description} — ${first.description}` : description;
    }
    if (nullable) first.nullable = true;
    return { anyOf: branches };
  }

  /**
   * The alternatives of a schema, each of one type and without unions of its own; null apart. `words` is what of the union
   * can't be said that way.
   */
  #variantsOf(schema: Schema): { variants: Schema[]; nullable: boolean; words: string[] } {
    const { type, anyOf, oneOf } = schema;
    // Most are of one type, and for those nothing has to be looked for.
    if (typeof type === 'string' && type !== 'null' && !anyOf && !oneOf) {
      return { variants: [schema], nullable: false, words: [] };
    }
    const words: string[] = [];
    const found: Schema[] = [];
    let nullable = false;
    const visit = (one: Schema, depth: number): void => {
      if (isNever(one) || found.length > MAX_VARIANTS) return;
      const union = one.anyOf ? 'anyOf' : one.oneOf ? 'oneOf' : undefined;
      if (union && depth < 8) {
        const base = omit(one, [union]);
        const branches = one[union]!;
        // Branches that only say which keys are needed are a rule about one object, not alternatives.
        if (branches.every(isRule)) {
          words.push(
            `${union === 'anyOf' ? 'at least one' : 'exactly one'} of: ${branches.map(condition).join(', or ')}`,
          );
          visit(base, depth + 1);
          return;
        }
        const outer = depth === 0 ? annotationsApart(base) : base;
        for (const branch of branches) visit(intersect(outer, branch), depth + 1);
        return;
      }
      const types = typesOf(one);
      if (types.length < 2) {
        if (types[0] === 'null' || (one.const === null && types.length === 0)) nullable = true;
        else found.push(withConditional(one));
        return;
      }
      const split = depth === 0 ? annotationsApart(one) : one;
      for (const type of types) {
        if (type === 'null') nullable = true;
        else found.push(withConditional(ofType(split, type)));
      }
    };
    /** What describes the whole is told once, not with every alternative. */
    const annotationsApart = (one: Schema): Schema => {
      words.push(...['default', 'examples'].flatMap((keyword) => describeKeyword(one, keyword)));
      return omit(one, ['title', 'description', 'default', 'examples']);
    };
    visit(schema, 0);
    if (found.length > MAX_VARIANTS) return { variants: [{}], nullable, words: [`of the form ${shape(schema)}`] };
    const variants = found.length < 2 ? found : [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
    if (variants.length === 0 && !nullable) variants.push({});
    return { variants, nullable, words };
  }

  /** A schema of one type, or of any. Its description is not yet in the result, except for what has to be told. */
  #writeOne(schema: Schema, level: number): GeminiSchema {
    const type = typesOf(schema)[0];
    const container = type === 'object' || type === 'array';
    if (container && level > this.#limits.maxNesting) {
      this.decodings.set(schema, { kind: 'json' });
      return asText(`JSON text of the form ${shape(omit(schema, ['description']))}`);
    }
    switch (type) {
      case undefined:
      case 'null':
        this.decodings.set(schema, { kind: 'any' });
        return asText(addWords('Any JSON value, as JSON text', limitWords(schema, ANY))!);
      case 'object':
        return this.#writeObject(schema, level);
      case 'array':
        return this.#writeArray(schema, level);
      default:
        return this.#writeScalar(schema, type);
    }
  }

  #writeObject(schema: Schema, level: number): GeminiSchema {
    const properties = schema.properties ?? {};
    if (Object.keys(properties).length === 0) {
      this.decodings.set(schema, { kind: 'json' });
      return asText(`A JSON object, as JSON text, of the form ${shape(omit(schema, ['description', 'title']))}`);
    }
    const out: GeminiSchema = { type: 'object', properties: {} };
    for (const key of Object.keys(properties)) put(out.properties!, key, this.write(properties[key]!, level + 1));
    const required = (schema.required ?? []).filter((key) => own(properties, key) !== undefined);
    if (required.length > 0) out.required = required;
    return this.#finish(schema, out, OF_OBJECT);
  }

  #writeArray(schema: Schema, level: number): GeminiSchema {
    let items = schema.items ?? {};
    if (schema.prefixItems) {
      const places = [...schema.prefixItems, schema.items ?? never()];
      items = unite(places);
      // Only for what has to be turned back at each place: the API knows one schema for all.
      for (const place of places) this.write(place, level + 1);
    }
    if (items !== schema.items) this.decodings.set(schema, { kind: 'items', items });
    return this.#finish(schema, { type: 'array', items: this.write(items, level + 1) }, OF_ARRAY);
  }

  #writeScalar(schema: Schema, type: string): GeminiSchema {
    const values = valuesOf(schema)?.filter((value) => value !== null);
    if (!values || type === 'boolean') return this.#finish(schema, { type }, NOTHING);
    const texts = new Map<string, unknown>();
    for (const value of values) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      // The API refuses an empty text in an enum.
      if (text !== '' && !texts.has(text)) texts.set(text, value);
    }
    const words = values.includes('') ? ['may be an empty text'] : [];
    if (texts.size === 0) return { type, description: 'always an empty text' };
    if ([...texts].some(([text, value]) => text !== value)) this.decodings.set(schema, { kind: 'enum', values: texts });
    return this.#finish(schema, { type: 'string', enum: [...texts.keys()] }, OF_ENUM, words);
  }

  /** Adds the limits that the API knows, and says the others in words. */
  #finish(schema: Schema, out: GeminiSchema, done: ReadonlySet<string>, words: string[] = []): GeminiSchema {
    const known = GEMINI_KEYWORDS[out.type!] ?? [];
    for (const keyword of Object.keys(schema) as Keyword[]) {
      if (done.has(keyword) || SILENT.has(keyword)) continue;
      const sent =
        known.includes(keyword) && (keyword !== 'format' || GEMINI_FORMATS[out.type!]?.includes(schema.format!));
      if (sent) setKeyword(out, keyword, schema[keyword]);
      // Closed is what the API takes every object for.
      else if (keyword !== 'additionalProperties' || schema.additionalProperties !== false) {
        words.push(...describeKeyword(schema, keyword));
      }
    }
    if (words.length > 0) out.description = addWords(undefined, words);
    return out;
  }
}

/** Keywords that are written before the others. */
const NOTHING: ReadonlySet<string> = new Set();
const OF_OBJECT: ReadonlySet<string> = new Set(['properties', 'required']);
const OF_ARRAY: ReadonlySet<string> = new Set(['items']);
/** An enum of the API is of texts, and stands beside type string only. */
const OF_ENUM: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
]);

/** What is put into words by other means. */
const SILENT = new Set<string>(['type', 'title', 'description']);
const ANY = new Set<string>(['type', 'title', 'description']);

const asText = (description: string): GeminiSchema => ({ type: 'string', description });

const isRule = (schema: Schema): boolean =>
  !schema.properties &&
  (typesOf(schema).length === 0 || schema.type === 'object') &&
  (schema.required ?? schema.not) !== undefined;

/** Puts a schema's own description before what had to be told. */
function complete(out: GeminiSchema, description: string | undefined, nullable: boolean): GeminiSchema {
  const told = out.description;
  const whole = addWords(description, told === undefined ? [] : [told]);
  if (whole !== undefined) out.description = whole;
  if (nullable) out.nullable = true;
  return out;
}

/** Keywords that say something about values of one type only. */
const BY_TYPE: Readonly<Record<string, readonly Keyword[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType', 'contentEncoding', 'contentSchema'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
  ],
};

/** A schema of several types narrowed to one: with the keywords and the values that belong to it. */
function ofType(schema: Schema, type: string): Schema {
  const group = type === 'integer' ? 'number' : type;
  const foreign = Object.entries(BY_TYPE).flatMap(([owner, keywords]) => (owner === group ? [] : keywords));
  const out = omit(schema, foreign);
  out.type = type;
  if (out.enum) {
    const mine = out.enum.filter((value) => typeOf(value) === type || (type === 'number' && typeof value === 'number'));
    if (mine.length > 0) out.enum = mine;
    else delete out.enum;
  }
  return out;
}
