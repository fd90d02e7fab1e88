/** Set on a schema whose recursion was cut: what may stand below it is known, but not spelled out again. */
export const CUT = Symbol('cut');

/** A schema between reading and writing: JSON Schema 2020-12 without references and boolean schemas, keywords checked. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: Record<string, string[]>;
  dependentSchemas?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  contains?: Schema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  contentMediaType?: string;
  contentEncoding?: string;
  contentSchema?: Schema;
  [CUT]?: true;
}

export type Keyword = Exclude<keyof Schema, typeof CUT>;

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property whatever its name is: a plain assignment to `__proto__` would set the prototype. */
export function put<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** Sets a keyword whose value is known to be of its kind. */
export function setKeyword(schema: object, keyword: string, value: unknown): void {
  (schema as JsonObject)[keyword] = value;
}

/** The own property, or undefined: `constructor` and the like are ordinary names in a schema. */
export function own<T>(target: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return target !== undefined && Object.hasOwn(target, key) ? target[key] : undefined;
}

export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Cuts text without leaving half of a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.charCodeAt(length - 1) >> 10 === 0x36 ? length - 1 : length;
  return `${text.slice(0, Math.max(0, end))}…`;
}

/** JSON type of a value, with `integer` for whole numbers. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

export function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** The schema that nothing satisfies. */
export const never = (): Schema => ({ not: {} });
export const isNever = (schema: Schema): boolean =>
  schema.not !== undefined && Object.keys(schema.not).length === 0 && Object.keys(schema).length === 1;

/** True for a schema without a keyword that restricts or explains. */
export function isEmpty(schema: Schema): boolean {
  for (const _ in schema) return false;
  return true;
}
