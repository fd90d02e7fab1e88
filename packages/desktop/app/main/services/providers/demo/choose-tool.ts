import type { OpenAITool } from '../../ports/tool-formats.ts';
import { type Filled, fillArguments } from './fill-arguments.ts';
import { isMediaPath, type Literals, readMessage } from './message.ts';
import { isAction, isChange, keywords, likeness } from './words.ts';

export interface Choice extends Filled {
  tool: OpenAITool;
}

interface ToolWords {
  tool: OpenAITool;
  name: string[];
  /** Of the description's first sentence, and of what follows. */
  summary: string[];
  further: string[];
  /** `file`, `url`: what it takes or is about. */
  topics: ReadonlySet<string>;
  deprecated: boolean;
  /** The app's own, no server's: for an agent these are for the folder that it works in. */
  own: boolean;
}

/** Below this a likeness is chance. */
const LEAST_SCORE = 1.2;
const NAME_WEIGHT = 3;
const SUMMARY_WEIGHT = 1;
const FURTHER_WEIGHT = 0.25;
/** Tools of the app go before those of servers that do the same. */
const OWN_WEIGHT = 2;
/** A long text is about its beginning. */
const MOST_WORDS = 60;

/** What a message asks for one after the other: "read a.md, then run `x`", or a line for each. */
export const stepsOf = (message: string): string[] =>
  split(message, STEP_BREAK)
    .map((step) => step.replace(LIST_MARK, ''))
    .filter(Boolean);

/**
 * The tools for what is asked for at once, in order; none where nothing fits. "read a.md and todo.txt" are two calls,
 * "add 2 and 3" is one.
 */
export function chooseTools(tools: readonly OpenAITool[], message: string): Choice[] {
  const known = tools.map(wordsOfTool);
  const choices = chooseEach(known, split(message, CLAUSE_BREAK));
  if (choices) return choices;
  const choice = chooseOne(known, message);
  return choice ? [choice] : [];
}

/** Undefined unless every clause has a choice that has all it takes. */
function chooseEach(tools: readonly ToolWords[], clauses: readonly string[]): Choice[] | undefined {
  if (clauses.length > MOST_CALLS) return undefined;
  const choices: Choice[] = [];
  for (const clause of clauses) {
    const choice = chooseOne(tools, clause) ?? repeatFor(choices.at(-1), clause);
    if (!choice || choice.missing.length > 0) return undefined;
    choices.push(choice);
  }
  return choices.length > 0 ? choices : undefined;
}

function chooseOne(tools: readonly ToolWords[], message: string): Choice | undefined {
  const literals = readMessage(message);
  const words = [...new Set(keywords(literals.plain))].slice(0, MOST_WORDS);
  // "Tell me what it says" is no request to say something, "say hello" is.
  const asked = words.filter((word) => word !== 'say' || /^\W*(?:(?:please|now)\s+)?say\b/i.test(literals.plain));
  if (isAboutTools(literals, asked)) return undefined;
  const hints = hintsOf(literals, asked);
  const rarities = new Map([...asked, ...hints.keys()].map((word) => [word, rarity(word, tools)]));
  let best: { choice: Choice; score: number } | undefined;
  for (const candidate of tools) {
    const likely = scoreOf(candidate, asked, hints, rarities);
    if (likely < LEAST_SCORE || likely <= (best?.score ?? 0)) continue;
    const choice = { tool: candidate.tool, ...fill(candidate, message, literals) };
    const score = likely * fitOf(choice, literals);
    if (score > (best?.score ?? 0)) best = { choice, score };
  }
  return best?.choice;
}

/** "List the tools", "which tools are there?" */
function isAboutTools({ plain, paths, quoted }: Literals, asked: readonly string[]): boolean {
  return (
    /\btools?\b/i.test(plain) && asked.every((word) => likeness(word, 'list') > 0) && paths.length + quoted.length === 0
  );
}

function fill({ tool, name, summary }: ToolWords, message: string, literals: Literals): Filled {
  const isAboutFolders = [...name, ...summary].some((word) => likeness(word, 'directory') > 0) && !name.some(isChange);
  return fillArguments(tool.function.parameters, message, literals, { folder: isAboutFolders ? '.' : undefined });
}

/** "read a.md and b.md": the second names no tool, so it is the first one's again. */
function repeatFor(previous: Choice | undefined, clause: string): Choice | undefined {
  const literals = readMessage(clause);
  if (!previous || keywords(literals.plain).length > 0 || literals.paths.length === 0) return undefined;
  return { tool: previous.tool, ...fill(wordsOfTool(previous.tool), clause, literals) };
}

/** What the things in a message say without a word: a file's name asks for a file, and by itself for reading it. */
function hintsOf(literals: Literals, asked: readonly string[]): Map<string, number> {
  const hints = new Map<string, number>();
  // With spaces it may be any quotation that ends in a file's name.
  const named = literals.paths.filter((path) => /^\S*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path));
  // "Read /etc/passwd": reading makes a file of what has no extension.
  const read = asked.some((word) => likeness(word, 'read') === 1);
  const files = named.length === 0 && read ? literals.paths.filter((path) => /^\S*[\\/][^\s\\/]+$/.test(path)) : named;
  if (files.length > 0) hints.set('file', 0.7).set(files.some(isMediaPath) ? 'media' : 'text', 0.5);
  if (files.length > 1) hints.set('multiple', 0.3);
  const isForReading = (word: string) =>
    likeness(word, 'read') > 0 || (!isAction(word) && likeness(word, 'info') === 0);
  if (files.length > 0 && asked.every(isForReading)) hints.set('read', 0.5);
  if (literals.urls.length > 0) hints.set('url', 0.7).set('fetch', 0.4);
  if (literals.numbers.length > 0) hints.set('number', 0.5);
  if (literals.globs.length > 0) hints.set('pattern', 0.7);
  // What is looked for in quotation marks stands in lines.
  if (literals.quoted.length > 0 && files.length === 0 && asked.some((word) => likeness(word, 'search') > 0))
    hints.set('line', 0.7);
  // "ls"
  if (files.length === 0 && asked.length > 0 && asked.every((word) => likeness(word, 'list') > 0))
    hints.set('directory', 0.7);
  const isPlace = (word: string) => likeness(word, 'file') > 0 || likeness(word, 'directory') > 0;
  // "Which files are there?" and "show the files in …" ask for a list.
  if (
    files.length === 0 &&
    asked.some(isPlace) &&
    asked.every((word) => !isAction(word) || likeness(word, 'read') > 0)
  ) {
    hints.set('list', 0.9).set('directory', 0.7);
  }
  return hints;
}

function scoreOf(
  tool: ToolWords,
  asked: readonly string[],
  hints: Map<string, number>,
  rarities: ReadonlyMap<string, number>,
): number {
  // What begins with "delete" is for no tool that can't; and what changes something has to be asked for.
  const [first] = asked;
  if (first && isChange(first) && nearest(first, [...tool.name, ...tool.summary]) === 0) return 0;
  const verb = tool.name.find(isChange);
  if (verb && !asked.some((word) => likeness(word, verb) > 0)) return 0;
  let score = 0;
  let foreign = false;
  for (const word of [...asked, ...hints.keys()]) {
    const weight = asked.includes(word) ? 1 : (hints.get(word) ?? 0);
    // A wire name is ASCII: words of other scripts can only be in the description.
    const isForeign = !/^\p{ASCII}+$/u.test(word);
    const inSummary = nearest(word, tool.summary);
    foreign ||= isForeign && inSummary > 0;
    const match = Math.max(
      NAME_WEIGHT * nearest(word, tool.name),
      (isForeign ? NAME_WEIGHT : SUMMARY_WEIGHT) * inSummary,
      FURTHER_WEIGHT * nearest(word, tool.further),
    );
    score += weight * match * (rarities.get(word) ?? 1);
  }
  // Words of the name that nobody asked for speak against it.
  const named = tool.name.filter((part) => nearest(part, [...asked, ...hints.keys()]) > 0).length;
  const coverage = foreign ? 1 : named / Math.max(1, tool.name.length);
  // So does doing something else than what was asked for.
  const actions = [...asked, ...hints.keys()].filter(isAction);
  const isOff = asked.some(isAction) && actions.every((word) => nearest(word, [...tool.name, ...tool.summary]) === 0);
  // And a file or an address that it has no use for, unless it is called by its name.
  const isNamed = tool.name.every((part) => asked.includes(part));
  const isOffTopic = !isNamed && ['file', 'url'].some((topic) => hints.has(topic) && !tool.topics.has(topic));
  const doubts = [isOff, isOffTopic].filter(Boolean).length;
  const standing = (tool.deprecated ? 0.5 : 1) * (tool.own ? OWN_WEIGHT : 1);
  return score * (0.4 + 0.6 * coverage) * 0.4 ** doubts * standing;
}

/** Whether the arguments can be had from the message, and whether what is in the message finds a place. */
function fitOf({ missing, args }: Choice, literals: Literals): number {
  // What is escaped in an argument is there all the same.
  const bare = (value: unknown) => JSON.stringify(value).replaceAll('\\', '');
  const used = bare(args);
  const unused = [
    ...literals.paths,
    ...literals.globs,
    ...literals.urls,
    ...literals.quoted,
    ...literals.numbers,
  ].filter((value) => !used.includes(bare(value).replace(/^"|"$/g, '')));
  return (missing.length > 0 ? 0.35 : 1) * (unused.length > 0 ? 0.6 : 1);
}

const nearest = (word: string, among: readonly string[]): number =>
  among.reduce((best, other) => Math.max(best, likeness(word, other)), 0);

/** A word of one tool tells more than a word of all. Between 0.3 and 1. */
function rarity(word: string, tools: readonly ToolWords[]): number {
  const having = tools.filter((tool) => nearest(word, tool.name) > 0 || nearest(word, tool.summary) > 0).length;
  return Math.max(0.3, 1 - having / (tools.length + 3));
}

function wordsOfTool(tool: OpenAITool): ToolWords {
  const { name, description } = tool.function;
  const end = description.search(/[.。!?\n](?:\s|$)/);
  const summary = end < 0 ? description : description.slice(0, end);
  return {
    tool,
    name: nameWords(name),
    summary: keywords(summary.slice(0, 500)),
    further: end < 0 ? [] : keywords(description.slice(end, end + 2000)),
    topics: topicsOf(tool),
    deprecated: /\bdeprecated\b/i.test(description),
    own: !name.includes('__'),
  };
}

function topicsOf({ function: { name, description, parameters } }: OpenAITool): Set<string> {
  const words = [name, description.slice(0, 2000), ...Object.keys(parameters?.properties ?? {})].flatMap(keywords);
  const isAbout = (...topics: string[]) => words.some((word) => topics.some((topic) => likeness(word, topic) > 0));
  return new Set([
    ...(isAbout('file', 'path') ? ['file'] : []),
    ...(isAbout('url', 'uri', 'link', 'web', 'website', 'page') ? ['url'] : []),
  ]);
}

/** "get" begins so many names that it tells nothing, unless it is the whole name. */
function nameWords(wireName: string): string[] {
  const words = [...new Set(keywords(toolName(wireName)))];
  const telling = words.filter((word) => word !== 'get');
  return telling.length > 0 ? telling : words;
}

/** For showing and guessing only: a wire name is never taken apart to find a tool. */
function toolName(wireName: string): string {
  return splitName(wireName).tool;
}

/** "read_text_file of files", or the wire name where it has no plain form. */
export function displayName(wireName: string): string {
  const { server, tool } = splitName(wireName);
  return server ? `${tool} of ${server}` : tool;
}

/** Without the hash that a name gets which had to be changed, and without a server of whose name nothing is left. */
function splitName(wireName: string): { server?: string; tool: string } {
  const [, names = ''] = /^mcp__(.+?)(?:_[0-9a-f]{8})?$/.exec(wireName) ?? [];
  const [, server = '', tool = ''] = /^(.*?[^_].*?)__(.*[^_].*)$/.exec(names) ?? [];
  if (server) return { server: server.replace(/^_+|_+$/g, ''), tool: tool.replace(/^_+/, '') };
  const alone = names.replace(/^_+/, '');
  return { tool: alone || wireName };
}

const STEP_BREAK = /\s*(?:[,;.]\s*)?(?:\band then\b|\bthen\b|;|\n)\s*/gi;
const LIST_MARK = /^(?:\d+[.)]|[-*•])\s+/;
const CLAUSE_BREAK = /\s*(?:,\s*)?\band\b\s*/gi;
const MOST_CALLS = 4;

/** Outside of quotations. */
function split(message: string, at: RegExp): string[] {
  const masked = message.replace(/"[^"\n]*"|“[^”\n]*”|`[^`\n]*`|'[^'\n]*'/g, (quote) => '_'.repeat(quote.length));
  const parts: string[] = [];
  let start = 0;
  for (const match of masked.matchAll(at)) {
    parts.push(message.slice(start, match.index));
    start = match.index + match[0].length;
  }
  parts.push(message.slice(start));
  return parts.map((part) => part.trim()).filter(Boolean);
}
