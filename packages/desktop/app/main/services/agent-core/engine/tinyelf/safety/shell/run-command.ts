import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  COMMANDS,
  DECLARATIONS,
  GIT_READS,
  isHarmlessVariable,
  type KnownCommand,
  programOf,
  SHELLS,
  WRAPPERS,
} from './commands.ts';
import type { CommandReader, PathUse, Texts } from './read-command.ts';
import { both, type Outcome, type ShellState } from './shell-state.ts';

/** Characters of a folder's path: following longer ones, again and again, takes too long. */
const MAX_FOLDER = 1000;
/** As many endings of one option as may be a path. */
const MAX_ENDINGS = 40;

/**
 * What one command with its words reads and writes.
 *
 * @param fed what a here-document or here-string gives it to read
 */
export async function runCommand(
  reader: CommandReader,
  words: Texts[],
  state: ShellState,
  fed: string,
): Promise<Outcome> {
  const [first = [], ...rest] = words;
  const program = programOf(first[0] ?? '');
  if (first.length > 1) reader.ask('Which program it runs can’t be told before it runs.');
  if (rest.some((texts) => texts.length > 1 && texts.some((text) => text.startsWith('-')))) {
    reader.ask('Which options it gets can’t be told before it runs.');
  }
  if (program.includes('/')) {
    for (const text of first) reader.use(text, 'read', state);
    reader.ask(`It runs the program ${program}.`);
    anyWords(reader, rest, state);
    return both(state);
  }
  if (program === 'cd') return changeFolder(reader, rest, state);
  if (DECLARATIONS.has(program)) return declare(reader, program, rest, state);
  if (program === 'eval') return both(await evaluate(reader, rest, state));
  if (program === 'find') return find(reader, rest, state);
  if (program === 'git') return git(reader, rest, state);
  if (program === 'dd') return dd(reader, rest, state);
  if (program === 'tar') return tar(reader, rest, state);
  if (SHELLS.has(program)) return shell(reader, program, rest, state, fed);
  if (WRAPPERS.has(program)) return wrapper(reader, program, rest, state);
  const known = Object.hasOwn(COMMANDS, program) ? COMMANDS[program] : undefined;
  if (known) knownCommand(reader, program, known, rest, state);
  else {
    reader.ask(
      program === '' ? 'The app can’t tell what it will run.' : `The app can’t tell what “${program}” will do.`,
    );
    anyWords(reader, rest, state);
  }
  return both(state);
}

/** Words of a program that isn't known: whatever may be a path in them. */
function anyWords(
  reader: CommandReader,
  words: readonly Texts[],
  state: ShellState,
  use: PathUse['use'] = 'either',
): void {
  for (const text of words.flat()) {
    if (/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(text)) continue;
    if (text.startsWith('-')) for (const ending of endings(reader, text)) reader.use(ending, use, state);
    else reader.use(text, use, state);
    for (const piece of text.split(/[=:,@<]/)) if (/^[/~.]/.test(piece)) reader.use(piece, use, state);
    if (/[\s"'()]/.test(text)) for (const inner of pathsInCode(text)) reader.use(inner, 'either', state);
  }
}

/** What looks like a path in the text of a program. */
const pathsInCode = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./~])(?:~|\.\.)?\/[\w.~@+/-]+/g)].map(([one]) => one);

/** Where a path may begin in an option such as `-C..`, `-xzf/tmp/a` or `--file=a`. */
function endings(reader: CommandReader, option: string): string[] {
  if (option.startsWith('--')) return option.includes('=') ? [option.slice(option.indexOf('=') + 1)] : [];
  if (option.length > MAX_ENDINGS && !option.includes('/')) reader.ask('An option is too long to be checked.');
  const all = Array.from({ length: Math.max(0, Math.min(option.length, MAX_ENDINGS) - 2) }, (_, at) =>
    option.slice(at + 2),
  );
  const path = /[/~.]/.exec(option.slice(1));
  return path ? [...all, option.slice(path.index + 1)] : all;
}

/** Options and operands apart; a word that may be one thing or another is an operand. */
function partsOf(words: readonly Texts[]): { options: string[]; operands: Texts[]; optionsLate: boolean } {
  const options: string[] = [];
  const operands: Texts[] = [];
  let optionsLate = false;
  let ended = false;
  for (const texts of words) {
    // `-` alone is an operand: standard input to some, and a file of that name to others.
    const isOption = (text: string) => text.startsWith('-') && text !== '-';
    if (!ended && texts.length === 1 && texts[0] === '--') {
      ended = true;
      continue;
    }
    const some = ended ? [] : texts.filter(isOption);
    options.push(...some);
    if (some.length > 0 && operands.length > 0) optionsLate = true;
    const others = texts.filter((text) => !some.includes(text));
    if (others.length > 0) operands.push(others);
  }
  return { options, operands, optionsLate };
}

function knownCommand(
  reader: CommandReader,
  program: string,
  known: KnownCommand,
  words: Texts[],
  state: ShellState,
): void {
  const { options, operands, optionsLate } = partsOf(words);
  const some = (pattern: RegExp | undefined) => pattern !== undefined && options.some((option) => pattern.test(option));
  if (known.asks) reader.ask(known.asks);
  if (some(known.unknownOptions)) reader.ask(`An option makes ${program} do more than can be checked.`);
  if (known.moves) reader.moves();
  if (known.folders && operands.flat().some((text) => isFolder(text, state))) reader.ask(known.folders);
  if (known.operands === 'text') return;

  const writing = known.operands === 'write' || some(known.writingOptions);
  const several = operands.some((texts) => texts.length > 1);
  const files = [...operands];
  if (known.pattern && files[0]?.length === 1 && !some(/^(-[a-zA-Z0-9]*[ef]|--[rf])/)) files.shift();
  for (const [index, texts] of files.entries()) {
    let use: 'read' | 'write' = writing ? 'write' : 'read';
    if (known.operands === 'copy' && (optionsLate || index === files.length - 1)) use = 'write';
    if (known.writesFrom !== undefined && (several || index >= known.writesFrom)) use = 'write';
    for (const text of texts) reader.use(text, use, state);
    if (known.operands === 'copy' && use === 'write') copiesInto(reader, texts, files, state);
  }
  const optionUse = writing || known.operands === 'copy' ? 'write' : 'read';
  for (const option of options) for (const ending of endings(reader, option)) reader.use(ending, optionUse, state);
}

/** Whether a path leads to a folder now, from any of those that the shell may be in. */
function isFolder(text: string, { folders = [] }: ShellState): boolean {
  return folders.some((folder) => {
    try {
      return statSync(path.resolve(folder, text)).isDirectory();
    } catch {
      return false;
    }
  });
}

/** What lies in a target folder under the name of a source is written to, and may be a link. */
function copiesInto(reader: CommandReader, targets: Texts, sources: readonly Texts[], state: ShellState): void {
  for (const target of targets) {
    for (const source of sources.flat()) {
      if (source !== target) reader.use(`${target}/${path.posix.basename(source)}`, 'write', state);
    }
  }
}

function changeFolder(reader: CommandReader, words: Texts[], state: ShellState): Outcome {
  const { options, operands } = partsOf(words);
  const targets = words.length === 0 ? state.variables.get('HOME') : operands[0];
  if (options.length > 0 || operands.length > 1 || !targets || targets.includes('-') || !state.folders) {
    reader.ask('Which folder it goes to can’t be told before it runs.');
    for (const text of operands.flat()) reader.use(text, 'read', state);
    return { ok: { ...state, folders: undefined, before: state.folders }, failed: state };
  }
  for (const target of targets) reader.use(target, 'read', state);
  const folders = state.folders.flatMap((folder) =>
    targets.map((target) => path.resolve(folder, target.replace(/^~(?=\/|$)/, reader.home))),
  );
  if (folders.some((folder) => folder.length > MAX_FOLDER)) {
    reader.ask('It goes to folders too deep to be followed.');
    return { ok: { ...state, folders: undefined, before: state.folders }, failed: state };
  }
  return { ok: { ...state, folders: [...new Set(folders)], before: state.folders }, failed: state };
}

function declare(reader: CommandReader, program: string, words: Texts[], state: ShellState): Outcome {
  for (const text of words.flat()) {
    if (!isHarmlessVariable(text.split('=')[0] ?? ''))
      reader.ask(`With ${program} it changes what later commands get.`);
  }
  anyWords(reader, words, state);
  return both(state);
}

async function evaluate(reader: CommandReader, words: Texts[], state: ShellState): Promise<ShellState> {
  reader.ask('It makes up a command and runs it.');
  return reader.line(words.map((texts) => texts[0] ?? '').join(' '), state);
}

async function shell(reader: CommandReader, program: string, words: Texts[], state: ShellState, fed: string) {
  reader.ask(`It runs a command line with ${program}.`);
  const flag = words.findIndex(([text]) => /^-[a-zA-Z]*c/.test(text ?? ''));
  const lines = [...(flag >= 0 ? (words[flag + 1] ?? []) : []), ...(fed ? [fed] : [])];
  for (const line of lines) await reader.line(line, state);
  anyWords(
    reader,
    words.filter((_, index) => flag < 0 || index !== flag + 1),
    state,
  );
  return both(state);
}

async function wrapper(reader: CommandReader, program: string, words: Texts[], state: ShellState): Promise<Outcome> {
  reader.ask(`It runs another command with ${program}.`);
  anyWords(reader, words, state);
  const start = words.findIndex(([text = '']) => !/^(-|\d|[A-Za-z_]\w*=)/.test(text));
  if (start >= 0) await reader.deeper(() => runCommand(reader, words.slice(start), state, ''));
  return both(state);
}

async function find(reader: CommandReader, words: Texts[], state: ShellState): Promise<Outcome> {
  const begin = words.findIndex(([text = '']) => /^(-(?![HLPOD])|[(!])/.test(text));
  const places = (begin < 0 ? words : words.slice(0, begin)).filter(([text]) => !text?.startsWith('-'));
  const expression = begin < 0 ? [] : words.slice(begin);
  if (words.some(([text = '']) => /^-(L|follow|files0-from)$/.test(text))) reader.ask('It follows links or lists.');
  for (const text of places.flat()) reader.use(text, 'read', state);
  const found = places.length > 0 ? places.flat() : ['.'];
  for (let at = 0; at < expression.length; at++) {
    const [text = ''] = expression[at] ?? [];
    if (text === '-delete') {
      reader.ask('It deletes what it finds.');
      for (const place of found) reader.use(place, 'write', state);
    } else if (/^-(fprint|fprint0|fprintf|fls)$/.test(text)) {
      reader.ask('It writes what it finds into a file.');
      for (const file of expression[++at] ?? []) reader.use(file, 'write', state);
    } else if (/^-(exec|execdir|ok|okdir)$/.test(text)) {
      reader.ask('It runs a command on what it finds.');
      const end = expression.findIndex(([one], index) => index > at && (one === ';' || one === '+'));
      const inner = expression.slice(at + 1, end < 0 ? undefined : end);
      const command = inner.map((texts) =>
        texts.flatMap((one) => (one.includes('{}') ? found.map((place) => one.replaceAll('{}', place)) : [one])),
      );
      await reader.deeper(() => runCommand(reader, command, state, ''));
      at = end < 0 ? expression.length : end;
    } else anyWords(reader, [expression[at] ?? []], state, 'read');
  }
  return both(state);
}

function git(reader: CommandReader, words: Texts[], state: ShellState): Outcome {
  reader.usesGit();
  let at = 0;
  let inFolder = state;
  for (; at < words.length && words[at]?.[0]?.startsWith('-'); at++) {
    const [option = ''] = words[at] ?? [];
    if (option === '-C') inFolder = changeFolder(reader, words.slice(++at, at + 1), inFolder).ok;
    else if (!/^(-P|--no-pager|--no-optional-locks|--version|--literal-pathspecs)$/.test(option)) {
      reader.ask(`It tells git how to work with ${option}.`);
      anyWords(reader, [words[at] ?? []], inFolder);
      if (/^(-c|--git-dir|--work-tree|--exec-path|--namespace|--config-env)$/.test(option)) {
        anyWords(reader, [words[++at] ?? []], inFolder);
      }
    }
  }
  if (words.slice(0, at + 1).some((texts) => texts.length > 1)) reader.ask('The app can’t tell what “git” will do.');
  const [subcommand = ''] = words[at] ?? [];
  const rest = words.slice(at + 1);
  if (!GIT_READS.has(subcommand)) {
    reader.ask(`The app can’t tell what “git ${subcommand}” will do.`);
    anyWords(reader, rest, inFolder);
    return both(state);
  }
  if (inFolder.folders?.some(isInBareRepository)) reader.ask('It works in a repository that any file may belong to.');
  const reads: KnownCommand = {
    operands: 'read',
    unknownOptions: /^(-O|--(ou|ext|textc|no-i|conte|exec))/,
    writingOptions: /^--ou/,
  };
  knownCommand(reader, `git ${subcommand}`, reads, rest, inFolder);
  return both(state);
}

/**
 * Whether git would take a folder, or one above it, for a repository by what lies openly in it. Its settings say what git
 * runs, and nobody was asked when they were written.
 */
function isInBareRepository(folder: string): boolean {
  const has = (name: string) => existsSync(path.join(folder, name));
  if (has('.git/HEAD')) return false;
  if (has('HEAD') && has('objects') && has('refs')) return true;
  const above = path.dirname(folder);
  return above !== folder && isInBareRepository(above);
}

function dd(reader: CommandReader, words: Texts[], state: ShellState): Outcome {
  reader.ask('It copies raw data.');
  for (const text of words.flat()) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
    if (name === 'of' && value) reader.use(value, 'write', state);
    else if (name === 'if' && value) reader.use(value, 'read', state);
  }
  return both(state);
}

function tar(reader: CommandReader, words: Texts[], state: ShellState): Outcome {
  reader.ask('It may write many files.');
  reader.moves();
  const flags = words.flat().filter((text, index) => index === 0 || /^-/.test(text));
  const has = (letter: string, long: RegExp) =>
    flags.some((text, index) =>
      text.startsWith('--') ? long.test(text) : (index === 0 || /^-/.test(text)) && text.includes(letter),
    );
  const bundled = words[0]?.[0]?.startsWith('-') === false;
  const operands = partsOf(bundled ? words.slice(1) : words).operands;
  const extracts = has('x', /^--(ex|ge)/);
  const lists = !extracts && has('t', /^--l/);
  for (const [index, texts] of operands.entries()) {
    const writes = extracts || (!lists && index === 0);
    for (const text of texts) reader.use(text, writes ? 'write' : 'read', state);
  }
  for (const option of flags) {
    if (option.startsWith('-'))
      for (const one of endings(reader, option)) reader.use(one, lists ? 'read' : 'write', state);
    // A command that it runs, perhaps.
    if (/\s/.test(option)) for (const one of pathsInCode(option)) reader.use(one, 'either', state);
  }
  return both(state);
}
