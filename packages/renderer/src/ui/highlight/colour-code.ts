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

/** In the bits of shiki's `fontStyle`. */
const ITALIC = 1;

const theme = createCssVariablesTheme({ name: 'tokens', variablePrefix: '--code-' });

let highlighter: Promise<HighlighterCore> | undefined;

// The regex engine in JavaScript: the usual one is WebAssembly, which the page's CSP forbids.
const getHighlighter = () => {
  highlighter ??= createHighlighterCore({ themes: [theme], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  return highlighter;
};

/** Colours code; grammars load when they are needed. Null for a language that is not known. Busy for long: see the worker. */
export async function colourCode(code: string, language: string): Promise<CodeLine[] | null> {
  const name = language.toLowerCase();
  if (!Object.hasOwn(bundledLanguages, name)) return null;
  const shiki = await getHighlighter();
  await shiki.loadLanguage(bundledLanguages[name as keyof typeof bundledLanguages]);
  return shiki.codeToTokensBase(code, { lang: name, theme: 'tokens' }).map((tokens, number) => ({
    number,
    tokens: tokens.map(({ content, offset, color, fontStyle }) => ({
      text: content,
      offset,
      color,
      italic: fontStyle === ITALIC,
    })),
  }));
}
