import { colourCode } from './colour-code.ts';
import type { HighlightAnswer, HighlightRequest } from './highlight.ts';

const answer = (message: HighlightAnswer) => self.postMessage(message);

// The first line of C++ alone takes half a second, for its grammar: nothing that the window could wait for.
self.onmessage = async ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  // Code that stays plain is a fine answer to a grammar that fails.
  await colourCode(code, language, answer).catch(() => undefined);
  answer(null);
};
