import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core';
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
const cache = new Map<string, CodeLine[][]>();

// The regex engine in JavaScript: the usual one is WebAssembly, which the page's CSP forbids.
const getHighlighter = () => {
  highlighter ??= createHighlighterCore({ themes: [theme], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  return highlighter;
};

/**
 * Colours code, grammars loading on demand, and hands over each slice of {@link LINES_PER_SLICE} lines as it is ready, in
 * order. Nothing comes for a language that is not known, or once `signal` is aborted.
 */
export async function highlight(
  code: string,
  language: string,
  signal: AbortSignal,
  onSlice: (lines: CodeLine[]) => void,
): Promise<void> {
  const name = language.toLowerCase();
  if (!Object.hasOwn(bundledLanguages, name)) return;
  const key = `${name}\n${code}`;
  const known = cache.get(key) ?? [];
  for (const slice of known) {
    await nextTask();
    if (signal.aborted) return;
    onSlice(slice);
  }
  if (known.length > 0) return;

  const shiki = await getHighlighter();
  await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  const source = code.split('\n');
  const slices: CodeLine[][] = [];
  let grammarState: ReturnType<HighlighterCore['getLastGrammarState']> | undefined;
  for (let at = 0; at < source.length; at += LINES_PER_SLICE) {
    await nextTask();
    if (signal.aborted) return;
    const text = source.slice(at, at + LINES_PER_SLICE).join('\n');
    const tokens = shiki.codeToTokensBase(text, { lang: name, theme: 'tokens', grammarState });
    grammarState = shiki.getLastGrammarState(tokens);
    const slice = tokens.map((line, index) => ({ number: at + index, tokens: line.map(codeToken) }));
    slices.push(slice);
    onSlice(slice);
  }
  cache.set(key, slices);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!);
}

const codeToken = ({ content, offset, color, fontStyle }: ThemedToken): CodeToken => ({
  text: content,
  offset,
  color,
  italic: fontStyle === ITALIC,
});

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
