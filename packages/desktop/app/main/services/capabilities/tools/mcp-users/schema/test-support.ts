import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { ToolFormat } from '../../../../ports/tool-formats.ts';
import { isObject, typeOf, typesOf } from './json.ts';
import { KEYWORDS } from './normalise-drafts.ts';
import { prepareTool } from './prepare-tool.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';

export type Json = Record<string, unknown>;

export const FORMATS: ToolFormat[] = ['openai', 'anthropic', 'google'];

export function makeTool(inputSchema: unknown, more: Partial<MCPTool> = {}): MCPTool {
  return {
    id: 'mcp__s__t',
    serverId: 's1',
    serverName: 's',
    name: 't',
    description: 'Does it.',
    inputSchema: inputSchema as MCPTool['inputSchema'],
    ...more,
  };
}

/** Fields of `Schema` in @google/genai's type definitions, written down here once more on purpose. */
const GEMINI_FIELDS = new Set(
  (
    'anyOf default description enum example format items maxItems maxLength maxProperties maximum minItems minLength ' +
    'minProperties minimum nullable pattern properties propertyOrdering required title type'
  ).split(' '),
);
const GEMINI_OWNERS: Record<string, string[]> = {
  enum: ['string'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  properties: ['object'],
  required: ['object'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
};

/** Throws where Gemini's API would refuse a property's schema. */
function expectGemini(schema: unknown, path: string, level = 2): void {
  if (!isObject(schema)) throw new Error(`${path}: not a schema`);
  const keys = Object.keys(schema);
  for (const key of keys) if (!GEMINI_FIELDS.has(key)) throw new Error(`${path}: unknown name ${key}`);
  if (schema.anyOf !== undefined) {
    if (keys.length > 1) throw new Error(`${path}: anyOf must be the only field`);
    const branches = schema.anyOf as unknown[];
    if (branches.length < 2) throw new Error(`${path}: anyOf of ${branches.length}`);
    branches.forEach((branch, i) => {
      expectGemini(branch, `${path}.anyOf[${i}]`, level);
    });
    return;
  }
  const type = schema.type;
  if (!['string', 'number', 'integer', 'boolean', 'array', 'object'].includes(type as string)) {
    throw new Error(`${path}: type ${String(type)}`);
  }
  for (const [key, owners] of Object.entries(GEMINI_OWNERS)) {
    if (schema[key] !== undefined && !owners.includes(type as string))
      throw new Error(`${path}: ${key} beside ${type}`);
  }
  if (schema.enum !== undefined) {
    const values = schema.enum as unknown[];
    if (values.length === 0 || values.some((value) => typeof value !== 'string' || value === '')) {
      throw new Error(`${path}: enum ${JSON.stringify(values)}`);
    }
    if (new Set(values).size !== values.length) throw new Error(`${path}: enum has a value twice`);
  }
  if (type === 'string' && schema.format !== undefined && schema.format !== 'date-time') {
    throw new Error(`${path}: format ${String(schema.format)}`);
  }
  if ((type === 'array' || type === 'object') && level > PROVIDER_LIMITS.google.maxNesting) {
    throw new Error(`${path}: nested too deep`);
  }
  if (type === 'array') {
    if (schema.items === undefined) throw new Error(`${path}: items missing`);
    expectGemini(schema.items, `${path}.items`, level + 1);
  }
  if (type === 'object') {
    const properties = schema.properties as Record<string, unknown>;
    if (Object.keys(properties).length === 0) throw new Error(`${path}: properties should be non-empty`);
    for (const [key, property] of Object.entries(properties)) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(key)) throw new Error(`${path}: key ${key}`);
      expectGemini(property, `${path}.${key}`, level + 1);
    }
    const required = schema.required as string[] | undefined;
    if (required?.length === 0) throw new Error(`${path}: empty required`);
    for (const key of required ?? []) if (!Object.hasOwn(properties, key)) throw new Error(`${path}: required ${key}`);
  }
}

/** Throws where OpenAI's or Anthropic's API would refuse a schema within the arguments. */
function expectJsonSchema(schema: unknown, path: string, format: ToolFormat): void {
  if (!isObject(schema)) throw new Error(`${path}: not a schema: ${JSON.stringify(schema)}`);
  for (const key of Object.keys(schema)) {
    const known = KEYWORDS.has(key) || ['type', 'required', 'additionalProperties', 'dependentRequired'].includes(key);
    if (!known) throw new Error(`${path}: unknown keyword ${key}`);
    if (PROVIDER_LIMITS[format].inWords.has(key) && !(key === 'not' && Object.keys(schema).length === 1)) {
      throw new Error(`${path}: ${key}`);
    }
  }
  if (typesOf(schema).includes('array') && !isObject(schema.items))
    throw new Error(`${path}: array schema missing items`);
  if (schema.properties !== undefined && typesOf(schema).includes('object') && schema.required !== undefined) {
    for (const key of schema.required as string[]) {
      if (!Object.hasOwn(schema.properties as object, key)) throw new Error(`${path}: required ${key}`);
    }
  }
  for (const map of ['properties', 'patternProperties', 'dependentSchemas']) {
    for (const [key, value] of Object.entries((schema[map] ?? {}) as Record<string, unknown>)) {
      if (format === 'anthropic' && map === 'properties' && !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)) {
        throw new Error(`${path}: key ${key}`);
      }
      expectJsonSchema(value, `${path}.${key}`, format);
    }
  }
  for (const keyword of ['items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else']) {
    if (schema[keyword] !== undefined) expectJsonSchema(schema[keyword], `${path}.${keyword}`, format);
  }
  if (isObject(schema.additionalProperties)) expectJsonSchema(schema.additionalProperties, `${path}.*`, format);
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    for (const branch of (schema[keyword] ?? []) as unknown[]) expectJsonSchema(branch, `${path}.${keyword}`, format);
  }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/** Throws unless the parameters are what the provider takes. */
export function expectAccepted(parameters: Record<string, unknown>, format: ToolFormat): void {
  const { description, ...rest } = parameters;
  expect(Object.keys(rest)).toEqual(['type', 'properties', 'required']);
  expect(['string', 'undefined']).toContain(typeof description);
  expect(rest.type).toBe('object');
  const properties = rest.properties as Record<string, unknown>;
  const required = rest.required as string[];
  expect(new Set(required).size).toBe(required.length);
  for (const key of required) if (!Object.hasOwn(properties, key)) throw new Error(`required ${key}`);
  if (format === 'google') {
    if (Object.keys(properties).length > 0) expectGemini({ type: 'object', properties }, 'root', 1);
  } else {
    for (const [key, property] of Object.entries(properties)) expectJsonSchema(property, key, format);
    expectJsonSchema({ type: 'object', properties }, 'root', format);
    if (!ajv.validateSchema(rest)) throw new Error(`not JSON Schema 2020-12: ${ajv.errorsText()}`);
  }
  const text = JSON.stringify(parameters);
  if (JSON.stringify(JSON.parse(text)) !== text) throw new Error('not plain JSON');
}

/** Arguments as a model gives them for what a provider was told: under the wire names, in the form that was asked for. */
export function encode(args: Json, schema: Json): Json {
  return encodeValue(args, schema) as Json;
}

function encodeValue(value: unknown, schema: Json): unknown {
  const branches = schema.anyOf as Json[] | undefined;
  if (branches) {
    const chosen =
      branches.find((branch) => fits(value, branch)) ?? branches.find(({ type }) => type === 'string') ?? branches[0]!;
    return encodeValue(value, chosen);
  }
  if (schema.type === 'string' && typeof value !== 'string' && !(value === null && schema.nullable))
    return JSON.stringify(value);
  if (typeof value === 'string' && String(schema.description).includes('Any JSON value')) return JSON.stringify(value);
  if (Array.isArray(value))
    return value.map((item, i) =>
      encodeValue(item, ((schema.prefixItems as Json[]) ?? [])[i] ?? (schema.items as Json) ?? {}),
    );
  if (!isObject(value)) return value;
  const out: Json = {};
  const rest: Json = {};
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const open = schema.anyOf === undefined && Object.keys(properties).length === 0;
  for (const [key, member] of Object.entries(value)) {
    const wire = wireOf(key, properties);
    if (wire !== undefined) out[wire] = encodeValue(member, properties[wire]!);
    else if (isObject(schema.additionalProperties)) out[key] = encodeValue(member, schema.additionalProperties);
    else if (open || !Object.hasOwn(properties, 'more_arguments')) out[key] = member;
    else rest[key] = member;
  }
  if (Object.keys(rest).length > 0) out.more_arguments = JSON.stringify(rest);
  return out;
}

/** Under which name a property of the server's is shown. */
function wireOf(key: string, properties: Record<string, Json>): string | undefined {
  return Object.keys(properties).find((shown) => {
    const told = /the server's name for it: ("(?:[^"\\]|\\.)*")/.exec(String(properties[shown]!.description));
    return told ? JSON.parse(told[1]!) === key : shown === key;
  });
}

/** Whether a model would take a branch for the one that a value is meant for. */
function fits(value: unknown, branch: Json): boolean {
  if (branch.anyOf) return (branch.anyOf as Json[]).some((inner) => fits(value, inner));
  if (value === null) return branch.nullable === true || branch.type === 'null';
  if (branch.const !== undefined) return branch.const === value;
  if (branch.enum)
    return [value, typeof value === 'string' ? value : JSON.stringify(value)].some((one) =>
      (branch.enum as unknown[]).includes(one),
    );
  if (!sameType(value, branch.type as string)) return false;
  if (Array.isArray(value)) return value.every((item) => fitsProperty(item, branch.items as Json | undefined));
  if (!isObject(value)) return true;
  const properties = (branch.properties ?? {}) as Record<string, Json>;
  const given = new Map(Object.entries(value).map(([key, member]) => [wireOf(key, properties), member]));
  const open = Object.keys(properties).length === 0 || /keys/.test(String(branch.description));
  if (given.has(undefined) && !open) return false;
  const needed = (branch.required ?? []) as string[];
  return (
    needed.every((key) => given.has(key)) && [...given].every(([key, member]) => fitsProperty(member, properties[key!]))
  );
}

/** What is asked for as JSON text takes anything. */
const fitsProperty = (value: unknown, property: Json = {}): boolean =>
  /JSON (text|value|object)/.test(String(property.description)) ||
  (property.type === undefined && property.anyOf === undefined) ||
  fits(value, property);

function sameType(value: unknown, type: string): boolean {
  const own = typeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

/** A definition as a published server sends it, with arguments that it allows. */
export interface Realistic {
  schema: Json;
  args: Json[];
}

const realistic = { strict: false, validateFormats: false, logger: false } as const;

/** Each definition is taken by every provider as it is shown, and its arguments come back as the server wants them. */
export function worksEverywhere(definitions: Record<string, Realistic>): void {
  describe.each(Object.entries(definitions))('%s', (_name, { schema, args }) => {
    const validate = JSON.stringify(schema).includes('draft-07')
      ? new Ajv(realistic).compile(schema)
      : new Ajv2020(realistic).compile(schema);

    it.each(FORMATS)('works with %s', (format) => {
      const before = structuredClone(schema);
      const prepared = prepareTool(format, makeTool(schema));
      expectAccepted({ ...prepared.schema }, format);
      expect(prepared.warnings).toEqual([]);
      for (const original of args) {
        expect(validate(original), JSON.stringify(validate.errors)).toBe(true);
        const sent = encode(original, prepared.schema as unknown as Json);
        const copy = structuredClone(sent);
        const restored = prepared.restore(sent);
        expect(restored).toEqual(original);
        expect(sent).toEqual(copy);
        if (format !== 'google') {
          const check = new Ajv2020(realistic).compile(prepared.schema);
          expect(check(sent), JSON.stringify(check.errors)).toBe(true);
        }
      }
      expect(schema).toEqual(before);
    });
  });
}

/** Mulberry32: the same numbers for the same seed. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
