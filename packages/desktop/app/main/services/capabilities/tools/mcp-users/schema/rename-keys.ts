import { CUT, own, put, type Schema } from './json.ts';
import { MAX_PROPERTY_NAME, type ProviderLimits } from './provider-limits.ts';

/**
 * Names by which a provider takes the properties that it would refuse: original → wire. Different originals get different
 * names, none of which is the name of another property anywhere in the tool, so that they can be put back without knowing
 * which branch of a union the model chose. Empty when nothing has to be renamed.
 */
export function wireNamesFor(names: Iterable<string>, limits: ProviderLimits): Map<string, string> {
  const refused: string[] = [];
  const taken = new Set<string>();
  for (const name of names) {
    // `__proto__` is safe as data, and a trap for whoever copies it.
    const fine = name !== '__proto__' && name.isWellFormed() && (limits.propertyName?.test(name) ?? true);
    if (fine) taken.add(name);
    else refused.push(name);
  }
  const wire = new Map<string, string>();
  for (const name of refused) {
    const clean = cleaned(name, limits);
    let candidate = clean;
    for (let n = 2; taken.has(candidate); n++) {
      candidate = `${clean.slice(0, MAX_PROPERTY_NAME - 1 - String(n).length)}_${n}`;
    }
    taken.add(candidate);
    wire.set(name, candidate);
  }
  return wire;
}

function cleaned(name: string, limits: ProviderLimits): string {
  const characters = Array.from(name.slice(0, 2 * MAX_PROPERTY_NAME), (character) =>
    limits.propertyNameCharacter.test(character) ? character : '_',
  );
  const trimmed = characters
    .join('')
    .toWellFormed()
    .replace(/^[_.-]+|[_.-]+$/g, '');
  const named = /^[A-Za-z]/.test(trimmed) ? trimmed : trimmed === '' ? 'key' : `key_${trimmed}`;
  return named.slice(0, MAX_PROPERTY_NAME);
}

/** A copy with every property under its wire name, whose description tells the server's own. */
export function renameProperties(schema: Schema, wire: ReadonlyMap<string, string>): Schema {
  const name = (key: string): string => wire.get(key) ?? key;
  const names = (keys: string[]): string[] => keys.map(name);

  const map = (schemas: Record<string, Schema>, told: boolean): Record<string, Schema> => {
    const out: Record<string, Schema> = {};
    for (const [key, value] of Object.entries(schemas)) {
      const renamed = rename(value);
      if (told && name(key) !== key) {
        const note = `the server's name for it: ${JSON.stringify(key)}`;
        renamed.description = renamed.description ? `${renamed.description} (${note})` : note;
      }
      put(out, name(key), renamed);
    }
    return out;
  };

  const rename = (one: Schema): Schema => {
    const out: Schema = { ...one };
    if (one[CUT]) out[CUT] = true;
    if (out.properties) out.properties = map(out.properties, true);
    if (out.dependentSchemas) out.dependentSchemas = map(out.dependentSchemas, false);
    if (out.patternProperties) {
      const patterns: Record<string, Schema> = {};
      for (const [pattern, value] of Object.entries(out.patternProperties)) put(patterns, pattern, rename(value));
      out.patternProperties = patterns;
    }
    if (out.required) out.required = names(out.required);
    if (out.dependentRequired) {
      const dependent: Record<string, string[]> = {};
      for (const key of Object.keys(out.dependentRequired)) {
        put(dependent, name(key), names(own(out.dependentRequired, key)!));
      }
      out.dependentRequired = dependent;
    }
    for (const keyword of ['items', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const) {
      const inner = out[keyword];
      if (inner) out[keyword] = rename(inner);
    }
    if (typeof out.additionalProperties === 'object') out.additionalProperties = rename(out.additionalProperties);
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
      const inner = out[keyword];
      if (inner) out[keyword] = inner.map(rename);
    }
    return out;
  };

  return rename(schema);
}
