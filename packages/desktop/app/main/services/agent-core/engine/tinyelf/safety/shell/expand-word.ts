import type { ParsedScript, Word, WordPart } from 'unbash';

/** What a word of a command line can become. */
export interface Expansion {
  /**
   * Every text that it can become, wildcards not yet expanded: a pattern, in which `\` takes the meaning from what follows.
   * Complete only when `unknown` is empty; what is there otherwise is what could be guessed.
   */
  patterns: string[];
  /** What can't be told without running it, for the person. */
  unknown: string[];
  /** Command lines that are run to find out. */
  scripts: ParsedScript[];
}

/** The values that a variable can have; undefined for one that isn't known. */
export type Lookup = (name: string) => readonly string[] | undefined;

/** As many texts as one word may become, and as many characters as each may have: variables double quickly. */
const MAX_ALTERNATIVES = 64;
const MAX_TEXT = 20_000;

/** Expands variables and braces, and takes quotes off. `~` is left as it is: whoever judges the path knows it. */
export function expandWord(word: Pick<Word, 'text' | 'value' | 'parts'>, lookup: Lookup): Expansion {
  const unknown: string[] = [];
  const scripts: ParsedScript[] = [];
  if (/^~[+-]/.test(word.text)) return { patterns: [], unknown: [`${word.text} depends on the shell.`], scripts };
  const expanded = word.parts ? partsOf(word.parts, false) : [literally(word.value)];
  // A tilde that is quoted or comes from a variable is a name like others to the shell, and the home to many programs.
  const patterns = expanded.flatMap((one) =>
    one.startsWith('~') && !word.text.startsWith('~') ? [one, `./${one}`] : [one],
  );
  return { patterns: [...new Set(patterns)], unknown, scripts };

  function partsOf(parts: readonly WordPart[], quoted: boolean): string[] {
    let all = [''];
    for (const [index, part] of parts.entries()) {
      // Braces come first in a shell that knows them, so what is in them belongs to the variable's name.
      if (part.type === 'BraceExpansion' && parts[index - 1]?.type === 'SimpleExpansion') cannotTell(part.text);
      const more = alternatives(part, quoted);
      all = all.flatMap((before) => more.map((after) => before + after));
      if (all.length > MAX_ALTERNATIVES || all.some((text) => text.length > MAX_TEXT)) {
        unknown.push('A word can become too many things.');
        all = all.slice(0, MAX_ALTERNATIVES).map((text) => text.slice(0, MAX_TEXT));
      }
    }
    return all;
  }

  function alternatives(part: WordPart, quoted: boolean): string[] {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
        return [literally(part.value)];
      case 'AnsiCQuoted':
        // Shells without this quoting take the dollar and what is quoted as they are, and see its end elsewhere.
        if (part.text.includes("\\'")) cannotTell(part.text);
        return [literally(part.value), literally(`$${part.text.slice(2, -1)}`)];
      case 'DoubleQuoted':
        return partsOf(part.parts, true);
      case 'LocaleString':
        // To shells without it the dollar is one.
        return partsOf(part.parts, true).flatMap((text) => [text, literally('$') + text]);
      case 'Glob':
        // Quotes and variables in a bracket: which characters it holds is more than can be told here.
        return /["'$`\\/]/.test(part.text) ? cannotTell(part.text) : [part.text];
      case 'BraceExpansion':
        return braces(part.text);
      case 'SimpleExpansion':
        return variable(part.text.slice(1), part.text, quoted);
      case 'ParameterExpansion':
        if (!part.prefix && !part.index && !part.operation) return variable(part.parameter, part.text, quoted);
        if (part.operation?.type === 'Default') {
          const inner = expandWord(part.operation.operand, lookup);
          scripts.push(...inner.scripts);
          unknown.push(`${part.text} can’t be told before it runs.`);
          return [...(lookup(part.parameter) ?? []).map(literally), ...inner.patterns];
        }
        return cannotTell(part.text);
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        if (part.script) scripts.push(part.script);
        return cannotTell(part.text);
      case 'ArithmeticExpansion':
      case 'ExtendedGlob':
        return cannotTell(part.text);
    }
  }

  function cannotTell(text: string): string[] {
    unknown.push(`${text.length > 80 ? `${text.slice(0, 80)}…` : text} can’t be told before it runs.`);
    return [''];
  }

  function variable(name: string, text: string, quoted: boolean): string[] {
    const values = lookup(name);
    if (values === undefined) return cannotTell(text);
    if (!quoted && values.some((value) => /[\s*?[\\]/.test(value))) {
      unknown.push(`${text} can’t be told before it runs, since it isn’t quoted.`);
    }
    return values.map(literally);
  }

  /** Shells without braces take them as they are, so that is one of the alternatives. */
  function braces(text: string): string[] {
    const inner = text.slice(1, -1);
    if (/["'\\$`{}*?[\]]|\.\./.test(inner)) return [...cannotTell(text), literally(text)];
    return [...inner.split(',').map(literally), literally(text)];
  }
}

/** The pattern that only this text matches. */
const literally = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');

/** The text of a pattern without wildcards; undefined when it has some. */
export function plain(pattern: string): string | undefined {
  return hasWildcard(pattern) ? undefined : pattern.replace(/\\(.)/gs, '$1');
}

export const hasWildcard = (pattern: string): boolean => /(?<!\\)(?:\\\\)*[*?[]/.test(pattern);
