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

/** Small enough that the window builds a slice between two frames. */
const LINES_PER_SLICE = 30;

/** In the bits of shiki's `fontStyle`. */
const ITALIC = 1;

const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--code-' });

let highlighter: Promise<HighlighterCore> | undefined;

// The regex engine in JavaScript: the usual one is WebAssembly, which the page's CSP forbids.
const getHighlighter = () => {
  highlighter ??= createHighlighterCore({ themes: [theme], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  return highlighter;
};

/**
 * Colours code, grammars loading on demand, and hands over each slice of lines as it is ready, in order. Nothing comes for a
 * language that is not known. Busy for long: see the worker.
 */
export async function colourCode(code: string, language: string, onSlice: (lines: CodeLine[]) => void): Promise<void> {
  const name = language.toLowerCase();
  if (!Object.hasOwn(bundledLanguages, name)) return;
  const shiki = await getHighlighter();
  await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  const source = code.split('\n');
  let grammarState: ReturnType<HighlighterCore['getLastGrammarState']> | undefined;
  for (let at = 0; at < source.length; at += LINES_PER_SLICE) {
    const text = source.slice(at, at + LINES_PER_SLICE).join('\n');
    const tokens = shiki.codeToTokensBase(text, { lang: name, theme: 'tokens', grammarState });
    grammarState = shiki.getLastGrammarState(tokens);
    onSlice(tokens.map((line, index) => ({ number: at + index, tokens: line.map(codeToken) })));
  }
}

const codeToken = ({ content, offset, color, fontStyle }: ThemedToken): CodeToken => ({
  text: content,
  offset,
  color,
  italic: fontStyle === ITALIC,
});
