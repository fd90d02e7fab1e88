/** Where results of tools that are too large for a message are kept for the person. `platform/storage` implements it. */
export interface WholeResults {
  /** Keeps a text and gives its id; undefined when the disk refuses. */
  keep(text: string): string | undefined;
  /** The file of a kept text; undefined when it is not kept any more. */
  find(id: string): string | undefined;
  /** Forgets a kept text. Nothing happens when it is not kept (any more), or can't be removed yet. */
  remove(id: string): void;
}
