import { argumentsOf, type FormDraft, formOf, initialForm, sameJson } from './field-drafts.ts';
import { fieldsOf } from './schema-fields.ts';

type Json = Record<string, unknown>;

/** What was entered for a tool: in its form, or as JSON. */
export interface PlaygroundDraft {
  mode: 'form' | 'json';
  form: FormDraft;
  json: string;
  /** The schema that the form was made from. */
  schema: Json;
}

/** The arguments as they stand, or why there are none: the fields, or the whole text, that are not JSON. */
export type Entered = { args: Json } | { unreadable: string[] };

export function newDraft(schema: Json): PlaygroundDraft {
  const fields = fieldsOf(schema);
  return {
    mode: fields === null ? 'json' : 'form',
    form: initialForm(fields ?? []),
    json: '{}',
    schema,
  };
}

export function entered({ mode, form, json, schema }: PlaygroundDraft): Entered {
  if (mode === 'form') return argumentsOf(fieldsOf(schema) ?? [], form);
  try {
    const args: unknown = json.trim() === '' ? {} : JSON.parse(json);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return { args: args as Json };
  } catch {
    // Said below, like any other text that is no object.
  }
  return { unreadable: [] };
}

/** The same arguments entered the other way; null while what is there can't be read, so that nothing typed is lost. */
export function switched(draft: PlaygroundDraft, mode: PlaygroundDraft['mode']): PlaygroundDraft | null {
  if (mode === draft.mode) return draft;
  const found = entered(draft);
  if (!('args' in found)) return null;
  const { args } = found;
  if (mode === 'form') return { ...draft, mode, form: formOf(fieldsOf(draft.schema) ?? [], args) };
  const before = entered({ ...draft, mode: 'json' });
  // Its spaces and its order stay when it says the same already.
  const json = 'args' in before && sameJson(before.args, args) ? draft.json : JSON.stringify(args, null, 2);
  return { ...draft, mode, json };
}

/** The draft for a definition that may have changed since: what was entered stays as far as it can be read. */
export function adopted(draft: PlaygroundDraft, schema: Json): PlaygroundDraft {
  if (draft.schema === schema) return draft;
  if (sameJson(draft.schema, schema)) return { ...draft, schema };
  const fields = fieldsOf(schema);
  const found = entered(draft);
  const form = 'args' in found ? formOf(fields ?? [], found.args) : initialForm(fields ?? []);
  if (draft.mode === 'json' || (fields !== null && 'args' in found)) return { ...draft, form, schema };
  const json = 'args' in found ? JSON.stringify(found.args, null, 2) : draft.json;
  return { mode: fields === null ? 'json' : 'form', form, json, schema };
}
