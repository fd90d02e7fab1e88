import type { Literals } from './message.ts';
import { isAction, keywords, likeness, stem, wordsOf } from './words.ts';

type Schema = Record<string, unknown>;

export interface Filled {
  args: Record<string, unknown>;
  /** Required arguments for which the message holds nothing. */
  missing: string[];
}

/** Fills a tool's arguments from a message. Each thing in the message is used once; optional arguments only when named. */
export function fillArguments(
  parameters: object | null,
  message: string,
  literals: Literals,
  defaults: { /** Where a path is wanted and the message has none. */ folder?: string } = {},
): Filled {
  return fillObject(asSchema(parameters) ?? {}, new Source(message, literals, defaults.folder));
}

/** What is still to be had from the message. */
class Source {
  readonly message: string;
  readonly plain: string;
  readonly quoted: Pile<string>;
  readonly paths: Pile<string>;
  readonly globs: Pile<string>;
  readonly urls: Pile<string>;
  readonly numbers: Pile<number>;
  #restUsed = false;

  readonly folder: string | undefined;

  constructor(message: string, literals: Literals, folder: string | undefined) {
    this.folder = folder;
    this.message = message;
    this.plain = literals.plain;
    const used = new Set<string>();
    this.quoted = new Pile(literals.quoted, used);
    this.paths = new Pile(literals.paths, used);
    this.globs = new Pile(literals.globs, used);
    this.urls = new Pile(literals.urls, used);
    this.numbers = new Pile(literals.numbers, new Set());
  }

  /** The text after the word that introduces it, or after the first one (the verb). Once only. */
  rest(): string | undefined {
    if (this.#restUsed) return undefined;
    const text = [textToPut, afterIntroduction, afterFirstWord].map((find) => find(this.message)).find(Boolean);
    if (text) this.#restUsed = true;
    return text;
  }
}

/** Things to take in order. What is taken from one pile is gone from every other that shares its set of used things. */
class Pile<Value> {
  #values: readonly Value[];
  readonly #used: Set<Value>;

  constructor(values: readonly Value[], used: Set<Value>) {
    this.#values = values;
    this.#used = used;
  }

  take(which: (value: Value) => boolean = () => true): Value | undefined {
    const value = this.#left().find(which);
    if (value === undefined) return undefined;
    const at = this.#values.indexOf(value);
    this.#values = this.#values.filter((_, index) => index !== at);
    if (typeof value === 'string') this.#used.add(value);
    return value;
  }

  takeAll(): Value[] | undefined {
    const left = this.#left();
    while (this.take() !== undefined);
    return left.length > 0 ? [...left] : undefined;
  }

  #left(): readonly Value[] {
    return this.#values.filter((value) => !this.#used.has(value));
  }
}

function fillObject(schema: Schema, source: Source): Filled {
  const properties = asSchema(schema.properties) ?? {};
  const required = new Set(
    Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [],
  );
  const args: [string, unknown][] = [];
  const missing: string[] = [];
  // Patterns before paths, paths before texts: a file to find is no folder, and a file's name is no content.
  const names = Object.keys(properties).sort((a, b) => rank(properties, a) - rank(properties, b));
  for (const name of names) {
    const property = asSchema(properties[name]) ?? {};
    const value = required.has(name)
      ? fillRequired(name, property, source)
      : (fillOptional(name, property, source) ?? (isPathLike(name) ? source.paths.take() : undefined));
    if (value !== undefined) args.push([name, value]);
    else if (required.has(name)) missing.push(name);
  }
  return { args: Object.fromEntries(args), missing };
}

function rank(properties: Schema, name: string): number {
  const property = asSchema(properties[name]) ?? {};
  if (Array.isArray(property.enum)) return 0;
  if (isGlobLike(name)) return 1;
  if (isPathLike(name) || isUrlLike(name, property)) return 2;
  return 3;
}

function fillRequired(name: string, schema: Schema, source: Source): unknown {
  const named = fillOptional(name, schema, source);
  if (named !== undefined) return named;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return source.numbers.take();
    case 'boolean':
      return false;
    case 'array':
      return fillArray(name, schema, source);
    case 'object': {
      const { args, missing } = fillObject(schema, source);
      return missing.length === 0 ? args : undefined;
    }
    case 'null':
      return null;
    default:
      return fillText(name, schema, source);
  }
}

/** Only what the message names. */
function fillOptional(name: string, schema: Schema, source: Source): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return chosen(schema.enum, source.message);
  const counted = COUNTED.exec(String(schema.description ?? ''));
  const words = [...keywords(name), ...keywords(counted?.[1] ?? counted?.[2] ?? '')];
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return numberNear(words, source);
    case 'boolean':
      return keywords(name).every((word) => keywords(source.plain).includes(word))
        ? !isNegated(name, source.plain)
        : undefined;
    case 'string':
      if (isUrlLike(name, schema)) return source.urls.take();
      return assigned(name, source.message);
    default:
      return undefined;
  }
}

function fillText(name: string, schema: Schema, source: Source): string | undefined {
  if (isUrlLike(name, schema)) return source.urls.take() ?? source.paths.take();
  if (isPathLike(name)) return source.paths.take() ?? source.quoted.take() ?? folderName(source.plain) ?? source.folder;
  if (isExpression(name, schema)) return escapeExpression(source.quoted.take() ?? lastKeyword(source.plain));
  if (isGlobLike(name)) return source.globs.take() ?? patternFor(source);
  if (name === 'command') return source.quoted.take() ?? commandIn(source.rest());
  return source.quoted.take() ?? source.rest();
}

function fillArray(name: string, schema: Schema, source: Source): unknown {
  const items = asSchema(schema.items) ?? {};
  const type = typeOf(items);
  if (type === 'object') {
    const { args, missing } = fillObject(items, source);
    return missing.length === 0 ? [args] : undefined;
  }
  if (type === 'number' || type === 'integer') return source.numbers.takeAll();
  if (isPathLike(name)) return source.paths.takeAll();
  if (isUrlLike(name, items)) return source.urls.takeAll();
  const quoted = source.quoted.takeAll();
  if (quoted) return quoted;
  const rest = source.rest();
  return rest ? rest.split(/\s*,\s*|\s+and\s+/).filter(Boolean) : source.paths.takeAll();
}

function chosen(values: unknown[], message: string): unknown {
  const text = ` ${wordsOf(message).map(stem).join(' ')} `;
  return values.find((value) => text.includes(` ${wordsOf(String(value)).map(stem).join(' ')} `));
}

/** The number beside one of the words: `first 5`, `5 steps`, `steps: 5`. */
function numberNear(words: string[], source: Source): number | undefined {
  const tokens = source.plain.split(/[\s:=,]+/).filter(Boolean);
  for (const [index, token] of tokens.entries()) {
    const value = Number(token);
    if (!Number.isFinite(value)) continue;
    const beside = [tokens[index - 1], tokens[index + 1]].flatMap((neighbour) => keywords(neighbour ?? ''));
    if (!beside.some((near) => words.some((word) => word !== 'number' && likeness(near, word) > 0))) continue;
    const taken = source.numbers.take((number) => number === value);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** `name: value`, `name="value"`, `name=value` */
function assigned(name: string, message: string): string | undefined {
  const label = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const match = new RegExp(`(?<![\\p{L}\\p{N}_])${label}\\s*[:=]\\s*(?:"([^"]+)"|([^\\s,;]+))`, 'iu').exec(message);
  return match?.[1] ?? match?.[2];
}

function isNegated(name: string, plain: string): boolean {
  return new RegExp(`\\b(?:no|not|without|don'?t)\\s+(?:\\w+\\s+)?${keywords(name)[0] ?? name}`, 'i').test(plain);
}

/** "write X to a file" */
function textToPut(message: string): string | undefined {
  const text = /\b(?:write|save|put|store|add)\s+(.+?)\s+(?:to|into|in|as)\s+\S/isu.exec(message)?.[1];
  return text && !/^(?:it|this|that|an?|the)\b/i.test(text) ? tidy(text) : undefined;
}

/** What follows "with the text", "saying", "named", "about" or a colon. */
function afterIntroduction(message: string): string | undefined {
  const text =
    /(?:\bwith (?:the )?(?:text|content|message|words?)|\bsaying|\bthat|\bnamed|\bcalled|\babout|\bfor|\btitled)\s+(.+)$/isu.exec(
      message,
    )?.[1] ?? /(?::\s+|：\s*)(.+)$/su.exec(message)?.[1];
  return text && tidy(text);
}

function afterFirstWord(message: string): string | undefined {
  const [first, ...rest] = message
    .replace(/^\s*(?:please|can you|could you|now)\s+/i, '')
    .trim()
    .split(/\s+/);
  return tidy(rest.length > 0 ? rest.join(' ') : (first ?? ''));
}

const tidy = (text: string): string | undefined =>
  text
    .trim()
    .replace(/^["'“]+|["'”]+$|[.!?。]+$/g, '')
    .trim() || undefined;

/** "the notes folder", "folder notes" */
function folderName(plain: string): string | undefined {
  const after = plain.matchAll(/\b(?:folder|directory)\s+(?:named\s+|called\s+)?([\p{L}\p{N}_-]+)/giu);
  const before = plain.matchAll(/\b(?:the|in|of)\s+([\p{L}\p{N}_-]+)\s+(?:folder|directory)\b/giu);
  return [...after, ...before].map((match) => match[1]!).find((name) => !NO_FOLDER.test(name));
}

const NO_FOLDER =
  /^(?:my|this|the|a|sample|current|allowed|same|whole|here|please|and|with|is|are|in|of|for|tree|structure|listing|contents?)$/i;

function patternFor(source: Source): string | undefined {
  const file = source.paths.take((path) => /\.\w{1,8}$/.test(path));
  if (file) return `**/${file.replace(/^.*[\\/]/, '')}`;
  const word = source.quoted.take() ?? fileKind(source.plain) ?? lastKeyword(source.plain);
  return word === undefined || /[*?[{]/.test(word) ? word : `**/*${word}*`;
}

const KINDS: Record<string, string> = {
  text: 'txt',
  markdown: 'md',
  jpeg: 'jpg',
  yaml: 'yml',
  python: 'py',
  word: 'docx',
};

/** "csv files", "text files" */
function fileKind(plain: string): string | undefined {
  const word = /\b([A-Za-z0-9]{1,8})[- ]files?\b/i.exec(plain)?.[1]?.toLowerCase() ?? '';
  const kind = KINDS[word] ?? word;
  return /^(?:csv|md|txt|json|xml|html?|pdf|ts|js|py|yml|log|png|jpg|gif|svg|docx?|xlsx?)$/.test(kind)
    ? `**/*.${kind}`
    : undefined;
}

function lastKeyword(plain: string): string | undefined {
  return wordsOf(plain).findLast((word) => keywords(word).some((key) => !isAction(key) && likeness(key, 'file') === 0));
}

/** "run the tests" names no command. */
const commandIn = (rest: string | undefined): string | undefined =>
  rest !== undefined && /^(?:the|its|it|this|that|an?|all|my|your|their)\b/i.test(rest) ? undefined : rest;

/** Of what a number says how many there are: "returns only the first N lines", "How many lines." */
const COUNTED = /\b(first|last) N\b|^How many (\w+)/;

/** A pattern of text rather than of names. */
const isExpression = (name: string, { description }: Schema): boolean =>
  isGlobLike(name) && /\b(?:expression|regex)/i.test(String(description));

/** What is asked for is meant as it stands. */
const escapeExpression = (text: string | undefined): string | undefined => text?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isGlobLike = (name: string): boolean => /pattern|glob/i.test(name);

const isPathLike = (name: string): boolean =>
  /^(?:file_?)?paths?$|path$|^file(?:s|_?names?)?$|^(?:source|destination|src|dest|dir|directory|folder|root)$/i.test(
    name,
  );

const isUrlLike = (name: string, schema: Schema): boolean =>
  schema.format === 'uri' || schema.format === 'url' || /^(?:ur[li]s?|link|href|website)$|ur[li]$/i.test(name);

/** The type by name; of a union the first that is not null. */
function typeOf(schema: Schema): string {
  const branch = [schema.anyOf, schema.oneOf].flatMap((branches) => (Array.isArray(branches) ? branches : []))[0];
  const { type } = schema;
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null');
  if (typeof type === 'string') return type;
  if (asSchema(branch)) return typeOf(asSchema(branch)!);
  return schema.properties ? 'object' : schema.items ? 'array' : 'string';
}

function asSchema(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}
