import { colourCode } from './colour-code.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight.ts';

// The first line of C++ alone takes half a second, for its grammar: nothing that the window could wait for.
self.onmessage = async ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  // Plain code is a fine answer to a grammar that fails.
  const lines: HighlightAnswer = await colourCode(code, language).catch(() => null);
  self.postMessage(lines);
};
