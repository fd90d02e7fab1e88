import { createContext, Script } from 'node:vm';
import type { ArgumentProblem } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Json = Record<string, unknown>;

/**
 * Schemas and results come from strangers: a pattern can be written so that it takes years. These are for such cases;
 * otherwise both take about a millisecond.
 */
const COMPILE_LIMIT_MS = 3000;
const CHECK_LIMIT_MS = 1000;
/** A person reads this many; the rest follows from them more often than not. */
const MAX_PROBLEMS = 8;

/**
 * Unknown keywords and formats are the server's business, and nothing is printed. Checking a schema against that of schemas
 * first would cost thirty times what compiling it does, and finds little that compiling doesn't.
 */
const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  allErrors: true,
  logger: false,
  meta: false,
  validateSchema: false,
};

/** What is compiled, by schema: a listing that changes brings new ones, and the old ones go with it. */
const compiled = new WeakMap<Json, ValidateFunction | SchemaUnusable>();

class SchemaUnusable extends Error {}

/** What the tool's input schema has against arguments. None when the schema itself can't be used. */
export function argumentProblems(tool: MCPTool, args: Json): ArgumentProblem[] {
  try {
    return problems(tool.inputSchema, args, 'The arguments');
  } catch {
    return [];
  }
}

/**
 * The response, with warnings where it isn't what the tool's output schema promises. Never throws and never drops anything;
 * an error is passed as it is.
 */
export function withOutputWarnings(tool: MCPTool | undefined, response: MCPCallToolResponse): MCPCallToolResponse {
  if (tool?.outputSchema === undefined || response.isError) return response;
  const warnings = outputProblems(tool.outputSchema, response.structuredContent);
  return warnings.length === 0 ? response : { ...response, warnings };
}

function outputProblems(schema: Json, structuredContent: unknown): string[] {
  if (structuredContent === undefined) return ['The tool promises structured content, and sent none.'];
  try {
    const found = problems(schema, structuredContent, 'The structured content');
    return found.map(({ text }) => `Not what the tool promises: ${text}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`The structured content was not checked: ${reason}`];
  }
}

/** @throws Error that says why the schema can't be used */
function problems(schema: Json, value: unknown, subject: string): ArgumentProblem[] {
  const validate = validatorOf(schema);
  try {
    if (inTime(CHECK_LIMIT_MS, () => validate(value))) return [];
  } catch (error) {
    // Once is enough: nothing else happens in the app meanwhile.
    if (error instanceof SchemaUnusable) compiled.set(schema, error);
    throw error;
  }
  const found = (validate.errors ?? []).map((error) => ({
    text: inWords(error, subject),
    missing: error.keyword === 'required',
  }));
  // What is wrong goes before what isn't there yet, so that the limit doesn't cut it off.
  const ordered = found.toSorted((a, b) => Number(a.missing) - Number(b.missing)).slice(0, MAX_PROBLEMS);
  return [...new Map(ordered.map((problem) => [problem.text, problem])).values()];
}

function validatorOf(schema: Json): ValidateFunction {
  const known = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, known);
  if (known instanceof SchemaUnusable) throw known;
  return known;
}

/** Each schema has an Ajv of its own, so that an `$id` can't clash with that of another. */
function compile(schema: Json): ValidateFunction | SchemaUnusable {
  try {
    const { $schema, ...rest } = schema;
    const validate = inTime(COMPILE_LIMIT_MS, () => new (draftOf($schema))(OPTIONS).compile(rest));
    // Such a validator would answer with a promise.
    return '$async' in validate ? new SchemaUnusable('its schema is asynchronous') : validate;
  } catch (error) {
    return new SchemaUnusable(`its schema can’t be used (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Without a word about the draft it is MCP's own, 2020-12. */
function draftOf(name: unknown): typeof Ajv {
  if (typeof name !== 'string') return Ajv2020;
  if (name.includes('2019-09')) return Ajv2019;
  return /draft-0[3-7]/.test(name) ? Ajv : Ajv2020;
}

const sandbox = createContext({ work: undefined as unknown });
const runWork = new Script('work()');

/** Runs work that is stopped, with an error, when it takes too long. Only a script can be stopped so. */
function inTime<T>(limitMs: number, work: () => T): T {
  sandbox.work = work;
  try {
    return runWork.runInContext(sandbox, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new SchemaUnusable(`checking it takes longer than ${limitMs} ms`);
  } finally {
    sandbox.work = undefined;
  }
}

/** What Ajv found, as a sentence for a person. What has no words here is said in Ajv's own. */
function inWords({ instancePath, keyword, message, params }: ErrorObject, subject: string): string {
  const path = instancePath.slice(1).replaceAll('/', ' → ');
  const place = path === '' ? subject : quoted(path);
  const member = (name: unknown) => quoted(path === '' ? String(name) : `${path} → ${name}`);
  if (keyword === 'required') return `${member(params.missingProperty)} is missing.`;
  if (keyword === 'additionalProperties') return `${member(params.additionalProperty)} is not one that the tool knows.`;
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const choices = params.allowedValues.map((choice) => JSON.stringify(choice)).join(', ');
    return `${place} must be one of these: ${choices}.`.slice(0, 500);
  }
  if (keyword === 'type') {
    const types = [params.type].flat().map((type) => TYPES[type] ?? type);
    return `${place} must be ${types.join(' or ')}.`;
  }
  return `${place} ${message?.replaceAll(/'([^']*)'/g, '“$1”') ?? 'is not valid'}.`.slice(0, 500);
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const quoted = (name: string): string => `“${name.slice(0, 200)}”`;
