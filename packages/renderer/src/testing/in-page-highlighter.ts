import { colourCode } from '../ui/highlight/colour-code.ts';
import type { HighlightAnswer, HighlightRequest } from '../ui/highlight/highlight.ts';

/** In place of the highlighting worker, where the DOM of the tests has no workers: does the same work in the page. */
export class InPageHighlighter {
  onmessage: ((event: { data: HighlightAnswer }) => void) | null = null;

  postMessage({ code, language }: HighlightRequest): void {
    void colourCode(code, language).then((data) => this.onmessage?.({ data }));
  }

  terminate(): void {
    this.onmessage = null;
  }
}
