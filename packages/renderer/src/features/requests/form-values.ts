import type { FormField, RequestAnswer } from '@shared/contracts/mcp-requests.contract.ts';

/** What a field holds while it is being filled in. Numbers are text until they are sent; undefined: nothing chosen. */
export type Entered = string | boolean | string[] | undefined;
export type Values = ReadonlyMap<string, Entered>;

/** What is wrong with a field, as a key of the catalogue with the numbers that belong to it. */
export interface Problem {
  key:
    | 'required'
    | 'tooShort'
    | 'tooLong'
    | 'tooFew'
    | 'tooMany'
    | 'tooSmall'
    | 'tooLarge'
    | 'notNumber'
    | 'notInteger'
    | 'email'
    | 'uri'
    | 'date'
    | 'date-time';
  limit?: number;
}

export const initialValues = (fields: readonly FormField[]): Values =>
  new Map(fields.map((field) => [field.name, initialOf(field)]));

function initialOf(field: FormField): Entered {
  switch (field.type) {
    case 'boolean':
      // A switch always stands somewhere; one that must be answered starts at no.
      return field.default ?? (field.required ? false : undefined);
    case 'number':
      return field.default === undefined ? '' : String(field.default);
    case 'text':
      return field.default === undefined ? '' : toLocal(field, field.default);
    case 'choices':
      return field.default ?? [];
    case 'choice':
      return field.default;
  }
}

/** The browser's control for a moment has no time zone; the protocol's text has one. */
const toLocal = (field: FormField, value: string): string => {
  if (field.type !== 'text' || field.format !== 'date-time') return value;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

const isEmpty = (value: Entered): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Undefined when the field can be sent as it stands. */
export function problemOf(field: FormField, value: Entered): Problem | undefined {
  if (isEmpty(value)) {
    if (field.type === 'choices' && field.required && (field.minItems ?? 0) === 0) return undefined;
    if (field.type === 'text' && field.required && !field.format && (field.minLength ?? 1) === 0) return undefined;
    return field.required ? { key: 'required' } : undefined;
  }
  if (field.type === 'number') return problemOfNumber(field, String(value).trim());
  if (field.type === 'choices' && Array.isArray(value)) {
    if (value.length < (field.minItems ?? 0)) return { key: 'tooFew', limit: field.minItems };
    if (value.length > (field.maxItems ?? value.length)) return { key: 'tooMany', limit: field.maxItems };
  }
  if (field.type === 'text' && typeof value === 'string') {
    const length = [...value].length;
    if (length < (field.minLength ?? 0)) return { key: 'tooShort', limit: field.minLength };
    if (length > (field.maxLength ?? length)) return { key: 'tooLong', limit: field.maxLength };
    if (field.format && !hasFormat(value, field.format)) return { key: field.format };
  }
  return undefined;
}

function problemOfNumber(field: Extract<FormField, { type: 'number' }>, text: string): Problem | undefined {
  const number = Number(text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(number)) {
    return { key: field.integer ? 'notInteger' : 'notNumber' };
  }
  if (field.integer && !Number.isInteger(number)) return { key: 'notInteger' };
  if (number < (field.minimum ?? number)) return { key: 'tooSmall', limit: field.minimum };
  if (number > (field.maximum ?? number)) return { key: 'tooLarge', limit: field.maximum };
  return undefined;
}

function hasFormat(value: string, format: 'email' | 'uri' | 'date' | 'date-time'): boolean {
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(value);
  if (format === 'uri') return URL.canParse(value);
  // What the browser's own control gives is right when it is there at all.
  return !Number.isNaN(Date.parse(value));
}

/** The fields to send: those that were left empty are left out. */
export function toAnswer(fields: readonly FormField[], values: Values): RequestAnswer {
  const filled = fields.flatMap((field) => {
    const value = values.get(field.name);
    if (isEmpty(value) && !(field.required && (field.type === 'choices' || field.type === 'text'))) return [];
    return [{ name: field.name, value: toSend(field, value) }];
  });
  return { action: 'accept', values: filled };
}

function toSend(field: FormField, value: Entered): string | number | boolean | string[] {
  if (field.type === 'number') return Number(value);
  if (field.type === 'text' && field.format === 'date-time') return new Date(String(value)).toISOString();
  return value as string | boolean | string[];
}
