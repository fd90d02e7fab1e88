import type { Field, Shape } from './schema-fields.ts';

/**
 * What stands in a control, whether it makes sense or not. `text` serves text, numbers, yes or no (`true`, `false`), and
 * choices (the index); '' is nothing. Members of an object are in the order of its fields. `json` may stand in for any other.
 */
export type Draft =
  | { as: 'text'; text: string }
  | { as: 'list'; items: Draft[] }
  | { as: 'object'; members: Draft[] }
  | { as: 'json'; text: string };

/** A form as it is filled in, with the arguments that it has no field for. */
export interface FormDraft {
  members: Draft[];
  extra: Record<string, unknown>;
}

type Reading = { state: 'nothing' } | { state: 'value'; value: unknown } | { state: 'not-json' };
const nothing: Reading = { state: 'nothing' };
const is = (value: unknown): Reading => ({ state: 'value', value });

/** What a form starts with. */
export const initialForm = (fields: readonly Field[]): FormDraft => ({ members: fields.map(initialDraft), extra: {} });

function initialDraft(field: Field): Draft {
  const { shape, initial } = field;
  if (initial !== undefined) return draftOf(field, initial);
  if (shape.kind === 'object') return { as: 'object', members: shape.fields.map(initialDraft) };
  return emptyDraft(shape);
}

/** An empty control. */
export function emptyDraft(shape: Shape): Draft {
  if (shape.kind === 'list') return { as: 'list', items: [] };
  if (shape.kind === 'object') return { as: 'object', members: shape.fields.map((field) => emptyDraft(field.shape)) };
  return { as: shape.kind === 'json' ? 'json' : 'text', text: '' };
}

/** The form that stands for these arguments: nothing of them is lost. */
export function formOf(fields: readonly Field[], args: Record<string, unknown>): FormDraft {
  const names = new Set(fields.map(({ name }) => name));
  return {
    members: fields.map((field) => draftOf(field, own(args, field.name))),
    extra: Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name))),
  };
}

/** The arguments that a form stands for, or the names of the fields whose JSON can't be read. */
export function argumentsOf(
  fields: readonly Field[],
  { members, extra }: FormDraft,
): { args: Record<string, unknown> } | { unreadable: string[] } {
  const entries: [string, unknown][] = [];
  const unreadable: string[] = [];
  fields.forEach((field, index) => {
    const draft = members[index];
    const reading = draft ? read(field, draft) : nothing;
    if (reading.state === 'value') entries.push([field.name, reading.value]);
    if (reading.state === 'not-json') unreadable.push(field.name);
  });
  return unreadable.length > 0 ? { unreadable } : { args: Object.fromEntries([...entries, ...Object.entries(extra)]) };
}

/** A draft of this value; as JSON where the control can't show it as it is. */
function draftOf(field: Field, value: unknown): Draft {
  if (value === undefined) return emptyDraft(field.shape);
  const draft = shown(field.shape, value);
  const reading = draft && read(field, draft);
  const faithful = reading?.state === 'value' && sameJson(reading.value, value);
  return draft && faithful ? draft : { as: 'json', text: JSON.stringify(value, null, 2) ?? '' };
}

function shown(shape: Shape, value: unknown): Draft | null {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? { as: 'text', text: value } : null;
    case 'number':
    case 'boolean':
      return { as: 'text', text: String(value) };
    case 'choice': {
      const index = shape.values.findIndex((choice) => sameJson(choice, value));
      return index < 0 ? null : { as: 'text', text: String(index) };
    }
    case 'list':
      return Array.isArray(value)
        ? { as: 'list', items: value.map((item) => draftOf(itemField(shape.item), item)) }
        : null;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { as: 'object', members: shape.fields.map((field) => draftOf(field, own(value, field.name))) }
        : null;
    case 'json':
      return null;
  }
}

/** Items of a list are there or not: an empty text is an empty text. */
export const itemField = (shape: Shape): Field => ({ name: '', required: true, shape });

/** Exported for the controls, which say at once when JSON can't be read. */
export function read({ shape, required }: Pick<Field, 'shape' | 'required'>, draft: Draft): Reading {
  if (draft.as === 'json') return readJson(draft.text);
  if (draft.as === 'list') {
    if (shape.kind !== 'list') return nothing;
    const readings = draft.items.map((item) => read(itemField(shape.item), item));
    if (readings.some(({ state }) => state === 'not-json')) return { state: 'not-json' };
    if (readings.length === 0 && !required) return nothing;
    return is(readings.flatMap((reading) => (reading.state === 'value' ? [reading.value] : [])));
  }
  if (draft.as === 'object') {
    if (shape.kind !== 'object') return nothing;
    const inner = argumentsOf(shape.fields, { members: draft.members, extra: {} });
    if ('unreadable' in inner) return { state: 'not-json' };
    return Object.keys(inner.args).length === 0 && !required ? nothing : is(inner.args);
  }
  const { text } = draft;
  switch (shape.kind) {
    case 'text':
      return text === '' && !required ? nothing : is(text);
    case 'number':
      // What is no number is sent as it was typed; the schema's check says so.
      return text.trim() === '' ? nothing : is(Number.isFinite(Number(text)) ? Number(text) : text);
    case 'boolean':
      return text === '' ? nothing : is(text === 'true' || text === 'false' ? text === 'true' : text);
    case 'choice':
      return text === '' ? nothing : is(shape.values[Number(text)]);
    default:
      return nothing;
  }
}

function readJson(text: string): Reading {
  if (text.trim() === '') return nothing;
  try {
    return is(JSON.parse(text));
  } catch {
    return { state: 'not-json' };
  }
}

const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;

/** Equal as JSON; the order of keys makes no difference. */
export const sameJson = (one: unknown, other: unknown): boolean => ordered(one) === ordered(other);

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';
