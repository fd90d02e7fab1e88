import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages } from 'shiki/langs';

export interface CodeLine {
  number: number;
  tokens: CodeToken[];
}

export interface CodeToken {
  text: string;
  /** Where it stands; unique within its line. */
  offset: number;
  /** A CSS colour: a variable of tokens.css, so that one result fits both themes. */
  color?: string;
  italic?: boolean;
}

/** Lines coloured in one go; between two goes the window can paint and take input. */
const LINES_PER_SLICE = 30;
/** Finished blocks kept for when they scroll into view again. */
const CACHE_SIZE = 60;

/** In the bits of shiki's `fontStyle`. */
const ITALIC = 1;

const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--code-' });

let highlighter: Promise<HighlighterCore> | undefined;
const cache = new Map<string, CodeLine[]>();

// The regex engine in JavaScript: the usual one is WebAssembly, which the page's CSP forbids.
const getHighlighter = () => {
  highlighter ??= createHighlighterCore({ themes: [theme], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  return highlighter;
};

/**
 * Colours code, language grammars loading on demand. Null for a language that is not known, or when `signal` is aborted.
 */
export async function highlight(code: string, language: string, signal: AbortSignal): Promise<CodeLine[] | null> {
  const name = language.toLowerCase();
  if (!Object.hasOwn(bundledLanguages, name)) return null;
  const key = `${name}\n${code}`;
  const known = cache.get(key);
  if (known) return known;

  const shiki = await getHighlighter();
  await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  const source = code.split('\n');
  const lines: CodeLine[] = [];
  let grammarState: ReturnType<HighlighterCore['getLastGrammarState']> | undefined;
  for (let at = 0; at < source.length; at += LINES_PER_SLICE) {
    await nextTask();
    if (signal.aborted) return null;
    const slice = source.slice(at, at + LINES_PER_SLICE).join('\n');
    const tokens = shiki.codeToTokensBase(slice, { lang: name, theme: 'tokens', grammarState });
    grammarState = shiki.getLastGrammarState(tokens);
    for (const line of tokens) {
      lines.push({
        number: lines.length,
        tokens: line.map(({ content, offset, color, fontStyle }) => ({
          text: content,
          offset,
          color,
          italic: fontStyle === ITALIC,
        })),
      });
    }
  }
  cache.set(key, lines);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
  return lines;
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
