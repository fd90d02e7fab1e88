import type { ToolFormat } from '../../../../ports/tool-formats.ts';

/** What a family of model APIs takes in the parameters of a tool. */
export interface ProviderLimits {
  /** Property names that it takes; undefined: any. */
  propertyName?: RegExp;
  /** Characters of a property name that has to be renamed which may stay. */
  propertyNameCharacter: RegExp;
  /** Levels of objects and arrays, the arguments themselves being the first; what is deeper is sent as JSON text or left open. */
  maxNesting: number;
  /** Keywords that go into the description although they are JSON Schema. Only for targets that speak JSON Schema. */
  inWords: ReadonlySet<string>;
}

/**
 * One place for what differs between providers and changes over the years.
 *
 * - openai: root must be an object without oneOf, anyOf, allOf, enum, const and not, and arrays need `items` (API errors
 *   "schema must have type 'object' and not have …", "array schema missing items"). Nesting limits exist in strict mode only,
 *   which third-party tools don't use. The same form goes to local servers: llama.cpp turns all tools into one grammar, and
 *   fails the whole request on a `pattern` that is not anchored or uses lookaround, `\S` or `\d`
 *   (ggml-org/llama.cpp#26930), so patterns, negations and conditions go into words. OpenAI compiles patterns as Python does
 *   ("is not a 'regex'", router-for-me/CLIProxyAPI#5644), names of `patternProperties` among them, and others refuse that
 *   keyword altogether (openclaw/openclaw#23507).
 * - anthropic: JSON Schema 2020-12, checked as such; root without oneOf, anyOf, allOf; property keys
 *   `^[a-zA-Z0-9_.-]{1,64}$` (API error "Property keys should match pattern", anthropics/claude-code#79418). A request with
 *   `patternProperties` was refused as not being JSON Schema (openclaw/openclaw#29416), and models take such an object for an
 *   empty one (earendil-works/pi#6473).
 * - google: the fields of `Schema` in @google/genai, nothing else ("Unknown name … Cannot find field"), each only beside the
 *   type that it belongs to. "Parameter names must start with a letter or an underscore and must only contain chars a-z,
 *   A-Z, 0-9, or underscores with a maximum length of 64" (FunctionDeclaration.parameters there). "exceeds the maximum
 *   allowed nesting depth": the number is not published; reports name four to seven levels
 *   (google-gemini/gemini-cli#5923, Portkey-AI/gateway#1616).
 */
export const PROVIDER_LIMITS: Record<ToolFormat, ProviderLimits> = {
  openai: {
    propertyNameCharacter: /[^\0]/u,
    maxNesting: 32,
    inWords: new Set([
      'pattern',
      'patternProperties',
      'not',
      'if',
      'then',
      'else',
      'dependentSchemas',
      'contentSchema',
    ]),
  },
  anthropic: {
    propertyName: /^[a-zA-Z0-9_.-]{1,64}$/,
    propertyNameCharacter: /[a-zA-Z0-9_.-]/,
    maxNesting: 32,
    inWords: new Set(['patternProperties', 'contentSchema']),
  },
  google: {
    propertyName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    propertyNameCharacter: /[a-zA-Z0-9_]/,
    maxNesting: 5,
    inWords: new Set(),
  },
};

/** Longest property name after renaming, for every provider. */
export const MAX_PROPERTY_NAME = 64;

/** Fields of Gemini's `Schema`, by the type that each may stand beside (`Schema` in @google/genai's type definitions). */
export const GEMINI_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  any: ['type', 'description', 'nullable'],
  string: ['enum', 'format', 'minLength', 'maxLength'],
  number: ['format', 'minimum', 'maximum'],
  integer: ['format', 'minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
};

/**
 * Formats by type. The type definitions promise more for strings, the API does not: "only 'enum' and 'date-time' are
 * supported for STRING type".
 */
export const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** Our own limits: what one definition may cost, however a server writes it. */
export const DEFINITION_LIMITS = {
  /** JSON levels that are read. */
  rawDepth: 160,
  /** JSON values that are read. */
  rawValues: 100_000,
  /** Schemas within schemas that are written. */
  depth: 48,
  /** Schemas that are written. */
  schemas: 6_000,
  /** Characters of names, texts and values that are written. */
  characters: 240_000,
  /** Characters that a definition with references may always grow to. */
  smallCharacters: 20_000,
  /** Characters of one description. */
  description: 16_000,
  /** Characters of one value or shape that is told in words. */
  words: 2_000,
  /** Values of one enum. */
  enumValues: 2_000,
} as const;
