import type { ArgumentProblem } from '@shared/contracts/mcp-tools.contract.ts';
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
  /** Whether Run was pressed: from then on the fields that are missing are said too. */
  tried: boolean;
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
    tried: false,
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
  return { ...draft, mode: fields === null ? 'json' : 'form', form, json, schema };
}

/**
 * Of the problems with what was entered, those to show now. Nobody is told of faults before there is anything to fault, nor of
 * fields that they have not come to: the form marks what is required.
 */
export function toShow(draft: PlaygroundDraft, problems: readonly ArgumentProblem[]): readonly ArgumentProblem[] {
  if (draft.tried) return problems;
  const now = entered(draft);
  const before = entered(newDraft(draft.schema));
  if ('args' in now && 'args' in before && sameJson(now.args, before.args)) return [];
  return draft.mode === 'json' ? problems : problems.filter(({ missing }) => !missing);
}
