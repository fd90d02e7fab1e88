import { isObject, own, type Schema, sameJson, typeOf, typesOf } from './json.ts';

/**
 * Whether a value could be meant by a schema: enough to choose between the branches of a union, not a validation (which is
 * the server's).
 */
export function accepts(schema: Schema, value: unknown, depth = 0): boolean {
  if (depth > 16) return true;
  const types = typesOf(schema);
  const type = typeOf(value);
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number'))) return false;
  if (schema.const !== undefined && !sameJson(schema.const, value)) return false;
  if (schema.enum && !schema.enum.some((one) => sameJson(one, value))) return false;
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? value) || value > (schema.maximum ?? value)) return false;
  }
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches && !branches.some((branch) => accepts(branch, value, depth + 1))) return false;
  }
  if (schema.allOf && !schema.allOf.every((part) => accepts(part, value, depth + 1))) return false;
  if (Array.isArray(value)) {
    return value.every((item, i) => {
      const wanted = schema.prefixItems?.[i] ?? schema.items;
      return wanted === undefined || accepts(wanted, item, depth + 1);
    });
  }
  return !isObject(value) || acceptsMembers(schema, value, depth);
}

function acceptsMembers(schema: Schema, value: Record<string, unknown>, depth: number): boolean {
  if (schema.required && !schema.required.every((key) => Object.hasOwn(value, key))) return false;
  for (const [key, member] of Object.entries(value)) {
    const property = own(schema.properties, key);
    if (property) {
      if (!accepts(property, member, depth + 1)) return false;
    } else if (schema.additionalProperties === false && !schema.patternProperties) return false;
    else if (typeof schema.additionalProperties === 'object') {
      if (!accepts(schema.additionalProperties, member, depth + 1)) return false;
    }
  }
  return true;
}
