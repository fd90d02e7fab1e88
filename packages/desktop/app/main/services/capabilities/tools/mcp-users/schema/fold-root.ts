import { intersect, omit, unite, valuesOf, withConditional } from './combine.ts';
import { condition, describeKeyword, literal } from './describe.ts';
import { isNever, own, put, type Schema, typesOf } from './json.ts';

export interface FoldedRoot {
  /** Of type object, with `properties` and `required` and without unions or conditions. */
  schema: Schema & { properties: Record<string, Schema>; required: string[] };
  /** What the folded form can't say, in words. */
  rules: string[];
  /** True when the schema was of something else than an object, which is now one property. */
  wrapped: boolean;
}

/** The name under which a tool takes its value when its schema is not of an object at all. */
const VALUE = 'value';

/**
 * Turns the schema of a tool's arguments into one plain object: no provider takes a union at the root. Branches become one set
 * of properties; what was required in all of them is required; the rest is said in words.
 */
export function foldRoot(root: Schema): FoldedRoot {
  const types = typesOf(root);
  if (types.length > 0 && !types.includes('object')) {
    return {
      schema: { type: 'object', properties: { [VALUE]: root }, required: [VALUE] },
      rules: [],
      wrapped: true,
    };
  }
  const folded = fold(root);
  const schema: FoldedRoot['schema'] = { type: 'object', properties: folded.properties, required: folded.required };
  if (root.description !== undefined) schema.description = root.description;
  if (root.additionalProperties !== undefined) schema.additionalProperties = root.additionalProperties;
  if (root.patternProperties !== undefined) schema.patternProperties = root.patternProperties;
  return { schema, rules: folded.rules, wrapped: false };
}

/** What is said of arguments that are not listed; nothing for a closed object, which is what models take for granted. */
export function freeArgumentRules(root: Schema): string[] {
  const patterns = describeKeyword(root, 'patternProperties');
  return root.additionalProperties ? [...patterns, ...describeKeyword(root, 'additionalProperties')] : patterns;
}

interface Folded {
  properties: Record<string, Schema>;
  required: string[];
  rules: string[];
}

/** Keywords of a root that are told in words as they are. */
const TOLD = [
  'if',
  'dependentRequired',
  'dependentSchemas',
  'not',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'enum',
  'const',
  'default',
  'examples',
] as const;

function fold(schema: Schema): Folded {
  const folded = foldPlain(schema);
  return { ...folded, properties: withConditional({ ...schema, properties: folded.properties }).properties! };
}

/** Without what conditions bring in: that is for the whole to know, since another part may define it. */
function foldPlain(schema: Schema): Folded {
  const folded: Folded = { properties: { ...schema.properties }, required: [...(schema.required ?? [])], rules: [] };
  for (const part of schema.allOf ?? []) foldPart(folded, part);
  for (const union of ['anyOf', 'oneOf'] as const) {
    if (schema[union]) foldUnion(folded, union, schema[union]);
  }
  for (const keyword of TOLD) {
    if (schema[keyword] !== undefined) folded.rules.push(...describeKeyword(schema, keyword));
  }
  return folded;
}

function foldPart(folded: Folded, part: Schema): void {
  const other = foldPlain(part);
  for (const [key, value] of Object.entries(other.properties)) {
    const mine = own(folded.properties, key);
    put(folded.properties, key, mine ? intersect(mine, value) : value);
  }
  folded.required = [...new Set([...folded.required, ...other.required])];
  folded.rules.push(...other.rules);
}

function foldUnion(folded: Folded, union: 'anyOf' | 'oneOf', branches: Schema[]): void {
  const possible = branches.filter((branch) => {
    const types = typesOf(branch);
    return !isNever(branch) && (types.length === 0 || types.includes('object'));
  });
  if (possible.length === 0) return;
  const parts = possible.map((branch) => fold(omit(branch, ['description'])));
  folded.rules.push(tellAlternatives(union, folded, possible, parts));
  const base = folded.properties;
  for (const key of new Set(parts.flatMap((part) => Object.keys(part.properties)))) {
    const versions = parts.map((part) => own(part.properties, key)).filter((version) => version !== undefined);
    const mine = own(base, key);
    if (mine === undefined) put(base, key, unite(versions));
    else if (versions.length === parts.length) {
      const joined = unite(versions.map((version) => intersect(mine, version)));
      put(base, key, mine.description === undefined ? joined : { ...joined, description: mine.description });
    }
  }
  const inAll = parts[0]!.required.filter((key) => parts.every((part) => part.required.includes(key)));
  folded.required = [...new Set([...folded.required, ...inAll])];
}

function tellAlternatives(union: 'anyOf' | 'oneOf', base: Folded, branches: Schema[], parts: Folded[]): string {
  const count = union === 'anyOf' ? 'at least one' : 'exactly one';
  if (branches.length === 1) return tellBranch(base, branches[0]!, parts[0]!);
  const onlyRequired = parts.every((part) => Object.keys(part.properties).length === 0 && part.rules.length === 0);
  if (onlyRequired && parts.every((part) => part.required.length > 0)) {
    return `give ${count} of: ${parts.map((part) => part.required.map(quote).join(' with ')).join(', or ')}`;
  }
  const forms = branches.map((branch, i) => `(${i + 1}) ${tellBranch(base, branch, parts[i]!)}`);
  return `use ${count} of these forms: ${forms.join('; ')}`;
}

function tellBranch(base: Folded, branch: Schema, part: Folded): string {
  const said: string[] = [];
  const told = new Set(base.required);
  for (const [key, value] of Object.entries(part.properties)) {
    const values = valuesOf(value);
    if (!values) continue;
    said.push(`${quote(key)} is ${values.map(literal).join(' or ')}`);
    told.add(key);
  }
  const needs = part.required.filter((key) => !told.has(key));
  const may = Object.keys(part.properties).filter((key) => !told.has(key) && !needs.includes(key));
  if (needs.length > 0) said.push(`needs ${needs.map(quote).join(', ')}`);
  if (may.length > 0) said.push(`may have ${may.map(quote).join(', ')}`);
  said.push(...part.rules);
  const form = said.join(', ') || condition(omit(branch, ['properties', 'required'])) || 'anything';
  const title = branch.description ?? branch.title;
  return title === undefined ? form : `${title}: ${form}`;
}

const quote = (key: string): string => `"${key}"`;
