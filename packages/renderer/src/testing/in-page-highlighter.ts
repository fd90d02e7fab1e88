import { colourCode } from '../ui/highlight/colour-code.ts';
import type { HighlightAnswer, HighlightRequest } from '../ui/highlight/highlight.ts';

/** In place of the highlighting worker, where the DOM of the tests has no workers: does the same work in the page. */
export class InPageHighlighter {
  onmessage: ((event: { data: HighlightAnswer }) => void) | null = null;

  postMessage({ code, language }: HighlightRequest): void {
    const answer = (data: HighlightAnswer) => this.onmessage?.({ data });
    void colourCode(code, language, answer).then(() => answer(null));
  }

  terminate(): void {
    this.onmessage = null;
  }
}
