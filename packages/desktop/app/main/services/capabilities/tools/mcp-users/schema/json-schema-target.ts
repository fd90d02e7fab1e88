import { unite, withConditional } from './combine.ts';
import { addWords, describeKeyword, shape } from './describe.ts';
import { CUT, isEmpty, isNever, isObject, type Keyword, own, put, type Schema, setKeyword, typesOf } from './json.ts';
import type { ProviderLimits } from './provider-limits.ts';

/** Writes a schema for a provider that takes JSON Schema (OpenAI, Anthropic). `level` is 1 for the arguments themselves. */
export function writeJsonSchema(source: Schema, limits: ProviderLimits, level: number): Schema {
  const types = typesOf(source);
  const schema = types.includes('object') && limits.inWords.has('if') ? withConditional(source) : source;
  const container = types.includes('object') || types.includes('array');
  if (level > limits.maxNesting && (container || types.length === 0)) {
    return { ...(types.length > 0 && { type: schema.type }), ...openArray(types), description: shape(schema) };
  }

  const out: Schema = {};
  const words: string[] = [];
  const told = toldKeywords(schema, limits);
  for (const keyword of Object.keys(schema) as Keyword[]) {
    if (told.has(keyword)) {
      if (!isNever(schema)) words.push(...describeKeyword(schema, keyword));
      continue;
    }
    setKeyword(out, nameOf(schema, keyword, limits), writeKeyword(schema, keyword, limits, level + 1));
  }
  if (schema.patternProperties && told.has('patternProperties')) {
    const more = moreKeys(schema, schema.patternProperties);
    out.additionalProperties = typeof more === 'object' ? writeJsonSchema(more, limits, level + 1) : more;
  }
  if (types.includes('array')) writeArray(schema, out);
  if (types.includes('object')) writeObject(schema, out);
  const description = addWords(out.description, words);
  if (description !== undefined) out.description = description;
  return out;
}

/** The keywords of a schema that go into words. */
function toldKeywords(schema: Schema, { inWords }: ProviderLimits): ReadonlySet<string> {
  const more: Keyword[] = [];
  if (schema.pattern !== undefined && !isRegExp(schema.pattern)) more.push('pattern');
  // What is told in words allows more in the form, so a negation or a test of it would allow less.
  if (schema.not && holds(schema.not, inWords)) more.push('not');
  if (schema.if && holds(schema.if, inWords)) more.push('if', 'then', 'else');
  return more.length > 0 ? new Set([...inWords, ...more]) : inWords;
}

/** Other languages' patterns are none in JSON Schema. */
function isRegExp(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

/** What a key may hold that is not listed, where patterns go into words. */
function moreKeys({ additionalProperties: others = true }: Schema, patterns: Record<string, Schema>): boolean | Schema {
  if (others === true) return true;
  const allowed = Object.values(patterns).filter((one) => !isNever(one));
  if (typeof others === 'object') allowed.push(others);
  return allowed.length > 0 && unite(allowed);
}

/** What told the branches of a `oneOf` apart may go into words or be cut, and then values fit more than one of them. */
function nameOf(schema: Schema, keyword: Keyword, { inWords }: ProviderLimits): Keyword {
  return keyword === 'oneOf' && !schema.anyOf && schema.oneOf!.some((one) => holds(one, inWords)) ? 'anyOf' : keyword;
}

function holds(value: unknown, keywords: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, keywords));
  if (!isObject(value)) return false;
  return CUT in value || Object.keys(value).some((key) => keywords.has(key) || holds(value[key], keywords));
}

function writeKeyword(schema: Schema, keyword: Keyword, limits: ProviderLimits, level: number): unknown {
  const write = (inner: Schema): Schema => writeJsonSchema(inner, limits, level);
  switch (keyword) {
    case 'properties':
    case 'dependentSchemas': {
      const out: Record<string, Schema> = {};
      for (const key of Object.keys(schema[keyword]!)) put(out, key, write(schema[keyword]![key]!));
      return out;
    }
    case 'items':
    case 'contains':
    case 'propertyNames':
      return write(schema[keyword]!);
    case 'prefixItems':
      return schema.prefixItems!.map(write);
    // The branches of a union are as deep as the union.
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return schema[keyword]!.map((branch) => writeJsonSchema(branch, limits, level - 1));
    case 'not':
    case 'if':
    case 'then':
    case 'else':
      return writeJsonSchema(schema[keyword]!, limits, level - 1);
    case 'additionalProperties':
      return typeof schema.additionalProperties === 'object'
        ? write(schema.additionalProperties)
        : schema.additionalProperties;
    default:
      return schema[keyword];
  }
}

const openArray = (types: string[]): Schema => (types.includes('array') ? { items: {} } : {});

function writeArray(schema: Schema, out: Schema): void {
  if (out.items !== undefined) return;
  const rest = out.prefixItems ? unite(out.prefixItems) : {};
  // Providers insist on `items` beside `prefixItems`: what a closed tuple holds, or anything where more may follow.
  out.items = isEmpty(rest) || schema.maxItems !== schema.prefixItems?.length ? {} : rest;
}

function writeObject(schema: Schema, out: Schema): void {
  // Without properties but with required names it is a rule about the object around it.
  if (out.properties === undefined && out.required === undefined) {
    out.properties = {};
    // Said outright: some take an object without properties for an empty one.
    if (out.additionalProperties === undefined) out.additionalProperties = true;
  }
  if (out.required && schema.properties) {
    out.required = out.required.filter((key) => own(out.properties, key) !== undefined);
    if (out.required.length === 0) delete out.required;
  }
}
