import { isObject } from './schema-fields.ts';

/** A parameter of a tool, as a person reads it. */
export interface ParameterLine {
  name: string;
  type: string;
  required: boolean;
  description?: string;
}

type Json = Record<string, unknown>;

/** The parameters at the top of an input schema. Whatever a server sent, it answers; what is deeper is in the JSON. */
export function parameterLines(schema: Json): ParameterLine[] {
  if (!isObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, value]) => ({
    name,
    type: typeWords(value, 0),
    required: required.includes(name),
    description: isObject(value) && typeof value.description === 'string' ? value.description : undefined,
  }));
}

const MAX_DEPTH = 3;
const MAX_CHOICES = 8;

function typeWords(schema: unknown, depth: number): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return '…';
  if (Array.isArray(schema.enum)) return choices(schema.enum);
  if ('const' in schema) return literal(schema.const);
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) {
    const kinds = [...new Set(union.slice(0, MAX_CHOICES).map((each) => typeWords(each, depth + 1)))];
    return kinds.join(' | ') + (union.length > MAX_CHOICES ? ' | …' : '');
  }
  if (Array.isArray(schema.type)) return schema.type.map(String).join(' | ');
  if (schema.type === 'array') return schema.items === undefined ? 'array' : `${typeWords(schema.items, depth + 1)}[]`;
  return typeof schema.type === 'string' ? schema.type : '…';
}

const choices = (values: unknown[]): string =>
  values.slice(0, MAX_CHOICES).map(literal).join(' | ') + (values.length > MAX_CHOICES ? ' | …' : '');

const literal = (value: unknown): string => (JSON.stringify(value) ?? '…').slice(0, 60);
