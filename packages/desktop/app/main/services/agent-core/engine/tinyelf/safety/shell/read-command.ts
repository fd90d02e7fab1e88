import {
  type Assignment,
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { isHarmlessVariable, isPowerfulVariable } from './commands.ts';
import { expandGlob } from './expand-glob.ts';
import { type Expansion, expandWord, plain } from './expand-word.ts';
import { runCommand } from './run-command.ts';
import { both, merge, type Outcome, type ShellState, withVariable } from './shell-state.ts';

/** A path that a command line uses. */
export interface PathUse {
  /** As it was written, variables and wildcards expanded. */
  path: string;
  /** `either`: the command is not known well enough to tell. */
  use: 'read' | 'write' | 'either';
  /** Absolute folder that it starts at when it is relative. */
  from: string;
}

export interface CommandReading {
  uses: PathUse[];
  /** Why the person has to look at it: what can't be told before it runs. Empty when all of it is understood. */
  asks: string[];
}

const MAX_LENGTH = 20_000;
const MAX_USES = 1000;
/** As many wildcards as are looked up on the disk. */
const MAX_PATTERNS = 100;
/** How deep command lines may be nested in one another. */
const MAX_DEPTH = 8;

/**
 * What a POSIX command line would read and write, as far as that can be told without running it. It is followed like a shell
 * would: folders, variables, `&&` and `||`; wildcards stand for what is on the disk now.
 *
 * @param folder where it runs: absolute, links followed
 */
export async function readCommand(line: string, folder: string, home: string): Promise<CommandReading> {
  const reader = new CommandReader(home);
  if (line.length > MAX_LENGTH) reader.ask('The command is too long to be checked.');
  else await reader.line(line, { folders: [folder], before: undefined, variables: new Map([['HOME', [home]]]) });
  return reader.result();
}

/** The texts that one word of a command may be. More than one: a pattern, or a variable with several values. */
export type Texts = readonly string[];

export class CommandReader {
  readonly home: string;
  readonly #uses = new Map<string, PathUse>();
  readonly #asks = new Set<string>();
  #depth = 0;
  #commands = 0;
  #patterns = 0;
  #moves = false;
  #makesHead = false;
  #usesGit = false;

  constructor(home: string) {
    this.home = home;
  }

  result(): CommandReading {
    if (this.#moves && this.#commands > 1) this.ask('It moves files or links that later parts of it may use.');
    // Whatever folder has one may be taken for a repository, whose settings say what git runs.
    if (this.#makesHead && this.#usesGit) this.ask('It may make the repository that it uses.');
    return { uses: [...this.#uses.values()], asks: [...this.#asks] };
  }

  ask(reason: string): void {
    this.#asks.add(reason);
  }

  moves(): void {
    this.#moves = true;
  }

  usesGit(): void {
    this.#usesGit = true;
  }

  use(path: string, use: PathUse['use'], { folders }: ShellState): void {
    if (path === '') return;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // Wildcards are looked up before the command runs, so a later part of it may get it as an option.
    if (use === 'write' && /^-./.test(name)) this.ask('It makes a file whose name looks like an option.');
    if (use === 'write' && name.toLowerCase() === 'head') this.#makesHead = true;
    if (this.#uses.size > MAX_USES) {
      this.ask('It uses more files than can be checked.');
      return;
    }
    if (folders === undefined) this.ask('Which folder it works in can’t be told before it runs.');
    // Where the folder is unknown, absolute paths can be judged all the same.
    for (const from of folders ?? (/^[/~]/.test(path) ? ['/'] : [])) {
      this.#uses.set(JSON.stringify([path, use, from]), { path, use, from });
    }
  }

  /** A command line, or one inside another. */
  async line(line: string, state: ShellState): Promise<ShellState> {
    // Joined by the shell before it looks for variables and operators, and not by the parser: `$`, line end, `X`.
    if (/[^\s\\](\\\\)*\\\n/.test(line)) this.ask('A word of it goes on in the next line.');
    return this.script(parse(line), state);
  }

  async script(script: ParsedScript, state: ShellState): Promise<ShellState> {
    if (script.errors?.length) this.ask(`It can’t be read as a command line: ${script.errors[0]?.message}.`);
    return (await this.deeper(() => this.#statements(script.commands, state))) ?? state;
  }

  /** Follows a command inside another; undefined, and a question, where that is too deep. */
  async deeper<T>(follow: () => Promise<T>): Promise<T | undefined> {
    if (this.#depth >= MAX_DEPTH) {
      this.ask('It is nested too deep to be checked.');
      return undefined;
    }
    this.#depth++;
    const result = await follow();
    this.#depth--;
    return result;
  }

  /** What a word may be, with its wildcards expanded on the disk. What can't be told is asked. */
  async texts(word: Pick<Word, 'text' | 'value' | 'parts'>, state: ShellState): Promise<Texts> {
    const expansion = await this.#expand(word, state);
    const texts = new Set<string>();
    for (const pattern of expansion.patterns) {
      const text = plain(pattern);
      if (text !== undefined) {
        texts.add(text);
        continue;
      }
      for (const folder of state.folders ?? ['/']) {
        const isTooMuch = ++this.#patterns > MAX_PATTERNS;
        const found = isTooMuch ? undefined : await expandGlob(pattern, folder, this.home);
        if (!found) this.ask(`${word.text} can stand for too many files.`);
        // Their names come out, whatever the command is: `echo` shows them too.
        for (const listed of found?.folders ?? []) this.use(listed, 'read', { ...state, folders: [folder] });
        for (const match of found?.matches ?? [pattern]) texts.add(match);
      }
    }
    return [...texts];
  }

  async #expand(word: Pick<Word, 'text' | 'value' | 'parts'>, state: ShellState): Promise<Expansion> {
    const expansion = expandWord(word, (name) => {
      if (name === 'PWD') return state.folders;
      return name === 'OLDPWD' ? state.before : state.variables.get(name);
    });
    for (const reason of expansion.unknown) this.ask(reason);
    for (const script of expansion.scripts) await this.script(script, state);
    return expansion;
  }

  async #statements(statements: readonly Statement[], state: ShellState): Promise<ShellState> {
    let current = state;
    for (const { command, background } of statements) {
      const { ok, failed } = await this.#node(command, current);
      // What runs in the background can't move the shell.
      if (!background) current = merge(ok, failed);
    }
    return current;
  }

  async #node(node: SyntaxNode, state: ShellState): Promise<Outcome> {
    switch (node.type) {
      case 'Command':
        return this.#command(node, state);
      case 'AndOr': {
        const [first, ...rest] = node.commands;
        let { ok, failed } = first ? await this.#node(first, state) : both(state);
        for (const [index, command] of rest.entries()) {
          if (node.operators[index] === '&&') {
            const next = await this.#node(command, ok);
            ok = next.ok;
            failed = merge(failed, next.failed);
          } else {
            const next = await this.#node(command, failed);
            ok = merge(ok, next.ok);
            failed = next.failed;
          }
        }
        return { ok, failed };
      }
      case 'Pipeline': {
        let after = state;
        // Some shells run the last part, and all of them the only one, in themselves.
        for (const command of node.commands) {
          const { ok, failed } = await this.#node(command, state);
          after = merge(ok, failed);
        }
        return both(merge(state, after));
      }
      case 'Subshell':
        await this.#statements(node.body.commands, state);
        return both(state);
      case 'BraceGroup':
        return both(await this.#statements(node.body.commands, state));
      case 'Redirected':
        await this.#redirections(node.redirects, state);
        return this.#node(node.command, state);
      default:
        this.ask('It is more than a plain list of commands.');
        return both(await this.#inside(node, state));
    }
  }

  /** What is in loops, conditions and functions, for what can be told of it. */
  async #inside(node: SyntaxNode, state: ShellState): Promise<ShellState> {
    let current = state;
    if (node.type === 'For' && node.wordlist) {
      const values = await Promise.all(node.wordlist.map((word) => this.texts(word, current)));
      current = withVariable(current, node.name.value, values.flat());
    }
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    for (const child of children) {
      if (child.type === 'Statement') current = merge(current, await this.#statements([child], current));
      else if (child.type === 'Word')
        for (const text of await this.texts(child, current)) this.use(text, 'either', current);
      else if (child.type === 'Redirect') await this.#redirections([child], current);
      else if (child.type === 'Command' || child.type === 'Redirected') await this.#node(child, current);
      else current = await this.#inside(child, current);
    }
    return current;
  }

  async #command(command: Command, state: ShellState): Promise<Outcome> {
    this.#commands++;
    const assignments = command.prefix.filter((one): one is Assignment => one.type === 'Assignment');
    let after = state;
    for (const assignment of assignments) {
      if (command.name ? !isHarmlessVariable(assignment.name) : isPowerfulVariable(assignment.name)) {
        this.ask(`It sets ${assignment.name}.`);
      }
      after = await this.assign(assignment, after);
      if (command.name)
        for (const value of after.variables.get(assignment.name) ?? []) this.use(value, 'either', state);
    }
    const body = await this.#redirections(command.redirects, state);
    if (!command.name) return both(after);

    const words: Texts[] = [await this.texts(command.name, state)];
    let declared = state;
    for (const argument of command.args) {
      if (argument.type === 'Assignment') {
        declared = await this.assign(argument, declared);
        words.push([argument.text]);
      } else words.push(await this.texts(argument, state));
    }
    return runCommand(
      this,
      words.filter((texts) => texts.length > 0),
      declared,
      body,
    );
  }

  /** A variable gets a value; which one may be unknown afterwards. */
  async assign({ name, value, append, index }: Assignment, state: ShellState): Promise<ShellState> {
    if (index && !/^\d+$/.test(index.text)) {
      // Bash works it out, and that can run commands, even those that a variable names.
      this.ask(`Which part of ${name} it sets can’t be told before it runs.`);
      await this.texts(index, state);
    }
    if (value.type === 'ArrayValue' || append || index) {
      for (const word of value.type === 'ArrayValue' ? value.elements : [value]) await this.texts(word, state);
      return withVariable(state, name, undefined);
    }
    const { patterns, unknown } = await this.#expand(value, state);
    // Here and not where it is used: there, other text may stand before it.
    const home = value.text.startsWith('~') ? this.home : '~';
    const values = patterns.map((pattern) => pattern.replace(/\\(.)/gs, '$1').replace(/^~(?=\/|$)/, home));
    return withVariable(state, name, unknown.length > 0 ? undefined : values);
  }

  /** Judges what is redirected to and from; the texts that the command is fed. */
  async #redirections(redirections: readonly Redirection[], state: ShellState): Promise<string> {
    let fed = '';
    for (const redirection of redirections) {
      if (redirection.type === 'HereDoc') {
        const { body, delimiter } = redirection;
        fed += body.text;
        if (!delimiter?.quoted) await this.#expand({ text: '', value: body.text, parts: body.parts }, state);
        continue;
      }
      if (!redirection.target) continue;
      const texts = await this.texts(redirection.target, state);
      if (redirection.type === 'HereString') {
        fed += texts.join('\n');
        continue;
      }
      const { operator } = redirection;
      for (const text of texts) {
        if ((operator === '>&' || operator === '<&') && /^(\d+-?|-)$/.test(text)) continue;
        this.use(text, operator === '<' || operator === '<&' ? 'read' : 'write', state);
      }
    }
    return fed;
  }
}
