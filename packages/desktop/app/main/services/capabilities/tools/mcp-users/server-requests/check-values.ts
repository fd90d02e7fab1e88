import type { FormField, RequestAnswer } from '@shared/contracts/mcp-requests.contract.ts';

type Values = Extract<RequestAnswer, { action: 'accept' }>['values'];
type Value = Values[number]['value'];

/**
 * What goes to the server of a form that was filled in, or what is wrong with it. The form itself checks while it is being
 * filled in; this is what the server can rely on.
 */
export function checkValues(
  fields: readonly FormField[],
  values: Values,
): { ok: true; content: Record<string, Value> } | { ok: false; field: string } {
  const given = new Map(values.map(({ name, value }) => [name, value]));
  const content: [string, Value][] = [];
  for (const field of fields) {
    const value = given.get(field.name);
    given.delete(field.name);
    if (value === undefined) {
      if (field.required) return { ok: false, field: field.name };
      continue;
    }
    if (!fits(field, value)) return { ok: false, field: field.name };
    content.push([field.name, value]);
  }
  const [unknown] = given.keys();
  if (unknown !== undefined) return { ok: false, field: unknown };
  // Makes own properties, whatever they are called.
  return { ok: true, content: Object.fromEntries(content) };
}

function fits(field: FormField, value: Value): boolean {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (!field.integer || Number.isInteger(value)) &&
        isWithin(value, field.minimum, field.maximum)
      );
    case 'choice':
      return field.options.some((option) => option.value === value);
    case 'choices': {
      const known = new Set(field.options.map((option) => option.value));
      return (
        Array.isArray(value) &&
        new Set(value).size === value.length &&
        value.every((item) => known.has(item)) &&
        isWithin(value.length, field.minItems, field.maxItems)
      );
    }
    case 'text':
      return (
        typeof value === 'string' &&
        // The protocol counts characters, not units of UTF-16.
        isWithin([...value].length, field.minLength, field.maxLength) &&
        hasFormat(value, field.format)
      );
  }
}

const isWithin = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean =>
  value >= least && value <= most;

function hasFormat(value: string, format: Extract<FormField, { type: 'text' }>['format']): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return URL.canParse(value);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value);
    case 'date-time':
      return (
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(value) &&
        isDay(value.slice(0, 10)) &&
        !Number.isNaN(Date.parse(value))
      );
    default:
      return true;
  }
}

/** Whether a day of that name exists; Date takes the 31st of February for the 3rd of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
