import type { FormField } from '@shared/contracts/mcp-requests.contract.ts';
import { isObject } from '../schema/json.ts';
import { RpcError } from '../transports/errors.ts';

const INVALID_PARAMS = -32602;
const MAX_FIELDS = 100;
const MAX_OPTIONS = 500;
const MAX_NAME = 200;
/** Titles and descriptions are cut there: nobody reads more, and a form has to stay one. */
const MAX_TEXT = 2000;
/** Longest text that a field may be filled with beforehand, and what a whole form may have, in characters. */
const MAX_DEFAULT = 20_000;
const MAX_FORM = 500_000;

type Json = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown): string | undefined => (isText(value) && value !== '' ? cut(value) : undefined);
const cut = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/**
 * The fields that a `requestedSchema` asks for, in its order. What the protocol doesn't allow in a form (objects, lists of
 * anything but choices, references) is refused, since it could not be filled in.
 * @throws RpcError for the server, which names what is wrong
 */
export function readForm(schema: unknown): FormField[] {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(schema) || schema.type !== 'object' || !isObject(properties)) {
    throw refused('The requested schema has to be an object with properties.');
  }
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) throw refused(`A form can have ${MAX_FIELDS} fields at most.`);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = entries.map(([name, property]) => {
    if (name === '' || name.length > MAX_NAME) throw refused('A field has no name, or one that is too long.');
    if (!isObject(property)) throw refused(`The field “${name}” has no schema.`);
    return readField(name, property, required.has(name));
  });
  if (JSON.stringify(fields).length > MAX_FORM) throw refused('The form is larger than anybody can read.');
  return fields;
}

function readField(name: string, property: Json, required: boolean): FormField {
  const title = textOf(property.title);
  const description = textOf(property.description);
  const common = { name, required, ...(title && { title }), ...(description && { description }) };
  const given = property.default;
  const options = readOptions(name, property);
  if (options) {
    const isOption = isText(given) && options.some(({ value }) => value === given);
    return { ...common, type: 'choice', options, ...(isOption && { default: given }) };
  }
  switch (property.type) {
    case 'string': {
      const format = FORMATS.find((known) => known === property.format);
      return {
        ...common,
        type: 'text',
        ...(format && { format }),
        minLength: numberOf(property.minLength),
        maxLength: numberOf(property.maxLength),
        ...(isText(given) && given.length <= MAX_DEFAULT && { default: given }),
      };
    }
    case 'number':
    case 'integer':
      return {
        ...common,
        type: 'number',
        integer: property.type === 'integer',
        minimum: numberOf(property.minimum),
        maximum: numberOf(property.maximum),
        default: numberOf(given),
      };
    case 'boolean':
      return { ...common, type: 'boolean', ...(typeof given === 'boolean' && { default: given }) };
    case 'array': {
      const choices = isObject(property.items) ? readOptions(name, property.items) : undefined;
      if (!choices) throw refused(`The field “${name}” is a list of something else than choices.`);
      const known = new Set(choices.map(({ value }) => value));
      const chosen = Array.isArray(given) ? given.filter((value): value is string => known.has(value)) : undefined;
      return {
        ...common,
        type: 'choices',
        options: choices,
        minItems: numberOf(property.minItems),
        maxItems: numberOf(property.maxItems),
        ...(chosen && { default: chosen }),
      };
    }
    default:
      throw refused(`The field “${name}” is of a kind that a form can't have.`);
  }
}

/** The choices of a property: `enum`, with titles in `enumNames` by the older revision, or `oneOf`/`anyOf` with titles. */
function readOptions(name: string, property: Json): { value: string; title: string }[] | undefined {
  const titled = Array.isArray(property.oneOf) ? property.oneOf : property.anyOf;
  const names = Array.isArray(property.enumNames) ? property.enumNames : [];
  let options: { value: unknown; title: unknown }[];
  if (Array.isArray(property.enum)) {
    options = property.enum.map((value, at) => ({ value, title: names[at] }));
  } else if (Array.isArray(titled)) {
    options = titled.map((option) => (isObject(option) ? { value: option.const, title: option.title } : refuse(name)));
  } else {
    return undefined;
  }
  if (options.length === 0 || options.length > MAX_OPTIONS) {
    throw refused(`The field “${name}” has to offer between 1 and ${MAX_OPTIONS} choices.`);
  }
  return options.map(({ value, title }) =>
    isText(value) && value.length <= MAX_TEXT ? { value, title: textOf(title) ?? value } : refuse(name),
  );
}

function refuse(name: string): never {
  throw refused(`The choices of the field “${name}” have to be texts.`);
}

export const refused = (message: string): RpcError => new RpcError(INVALID_PARAMS, message);
