import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import { isObject } from '../schema/json.ts';
import { parseTolerantJson } from '../tolerant-json.ts';
import { ImportProblem, reasonOf } from './problem.ts';
import { readServer } from './read-server.ts';
import { nameFor } from './server-name.ts';
import { splitAt } from './split-command-line.ts';

/** Options with one value that say nothing about the server itself. */
const WITH_VALUE = new Set([
  '-s',
  '--scope',
  '--callback-port',
  '--client-id',
  '--timeout',
  '--description',
  '--include-tools',
  '--exclude-tools',
]);

interface Options {
  transport?: string;
  env: Record<string, string>;
  headers: Record<string, string>;
  /** Name, then command or URL, then arguments. */
  words: string[];
}

/**
 * The server that a command adds to another program: `claude mcp add`, `claude mcp add-json`, and the same of Gemini CLI and
 * Codex; `code --add-mcp`. Undefined for any other command. Throws ImportProblem for one that can't be read.
 */
export function readMcpAdd(command: string, args: readonly string[]): McpServerDraft | undefined {
  const program = (command.split(/[\\/]/).at(-1) ?? '').replace(/\.(exe|cmd)$/i, '').toLowerCase();
  if ((program === 'code' || program === 'cursor') && args.includes('--add-mcp')) {
    return fromJson(undefined, args[args.indexOf('--add-mcp') + 1]);
  }
  if (!['claude', 'gemini', 'codex'].includes(program)) return undefined;
  if (args[0] !== 'mcp' || !['add', 'add-json'].includes(args[1] ?? '')) {
    throw new ImportProblem(`Of “${program}”, only “mcp add” and “mcp add-json” say what a server is.`);
  }
  const options = readOptions(args.slice(2));
  const [name, target, ...rest] = options.words;
  if (name === undefined || target === undefined)
    throw new ImportProblem('A name and a command or an address are needed.');
  if (args[1] === 'add-json') return fromJson(name, target);

  const { env, headers } = options;
  if (isAddress(target) || ['http', 'sse'].includes(options.transport ?? '')) {
    return readServer(name, { type: options.transport ?? 'http', url: target, ...(filled(headers) && { headers }) });
  }
  return readServer(name, { type: options.transport, command: target, args: rest, ...(filled(env) && { env }) });
}

function fromJson(name: string | undefined, text = ''): McpServerDraft {
  let entry: unknown;
  try {
    entry = parseTolerantJson(text);
  } catch (error) {
    throw new ImportProblem(`Its JSON is not valid: ${reasonOf(error)}`);
  }
  if (!isObject(entry)) throw new ImportProblem('Its JSON is no server.');
  const own = typeof entry.name === 'string' && entry.name.trim() !== '' ? entry.name : undefined;
  const url = typeof entry.url === 'string' ? entry.url : undefined;
  const command = typeof entry.command === 'string' ? entry.command : undefined;
  return readServer(name ?? own ?? nameFor({ command, url }), entry);
}

/** Options may stand before or after the name; from the command on, every word belongs to the server. */
function readOptions(args: readonly string[]): Options {
  const options: Options = { env: {}, headers: {}, words: [] };
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, target] = options.words;
    // After `--`, or once a command has been named, what follows is its own.
    if (word === '--') return { ...options, words: [...options.words, ...rest] };
    if (target !== undefined && !isAddress(target)) return { ...options, words: [...options.words, word, ...rest] };
    const [flag, given] = splitOption(word);
    const value = () => {
      const next = given ?? rest.shift();
      if (next === undefined) throw new ImportProblem(`The option ${flag} has no value.`);
      return next;
    };
    if (flag === '-t' || flag === '--transport') options.transport = value();
    else if (flag === '-e' || flag === '--env')
      takeAll(value(), rest, /^[A-Za-z_]\w*=/, (text) => addEnv(options, text));
    else if (flag === '-H' || flag === '--header')
      takeAll(value(), rest, /^[\w-]+:\s/, (text) => addHeader(options, text));
    else if (flag === '--url') options.words.push(value());
    else if (flag === '--bearer-token-env-var') options.headers.Authorization = `Bearer \${env:${value()}}`;
    else if (WITH_VALUE.has(flag)) value();
    else if (!flag.startsWith('-')) options.words.push(word);
    // Any other option is a switch that says nothing about the server.
  }
  return options;
}

/** An option and the value that is written together with it: `--env=K=V`, `-eK=V`. */
function splitOption(word: string): [flag: string, value?: string] {
  if (word.startsWith('--')) return word.includes('=') ? splitAt(word, '=') : [word];
  return /^-[etHs]./.test(word) ? [word.slice(0, 2), word.slice(2)] : [word];
}

/** An option that may be followed by more values of the same kind. */
function takeAll(first: string, rest: string[], more: RegExp, add: (text: string) => void): void {
  add(first);
  while (more.test(rest[0] ?? '')) add(rest.shift() ?? '');
}

function addEnv({ env }: Options, text: string): void {
  if (!/^[^=\s]+=/.test(text)) throw new ImportProblem(`“${text.slice(0, 40)}” is no variable: expected NAME=value.`);
  const [name, value] = splitAt(text, '=');
  env[name] = value;
}

function addHeader({ headers }: Options, text: string): void {
  const [name, value] = splitAt(text, ':');
  if (!text.includes(':')) throw new ImportProblem('A header has no colon: expected “Name: value”.');
  headers[name.trim()] = value.trim();
}

const isAddress = (text: string) => /^https?:\/\//i.test(text);
const filled = (values: Record<string, string>) => Object.keys(values).length > 0;
