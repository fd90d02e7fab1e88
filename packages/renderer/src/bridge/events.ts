import type { Api, EventBatch } from '@shared/contracts/index.ts';

export interface EventListener {
  onBatch(batch: EventBatch): void;
  /** A batch was lost: what is shown may be out of date and must be loaded again. Called before the batch after the gap. */
  onGap(): void;
}

/**
 * Listens to main's events. Batches count up by one; the first one seen only sets where the count stands, since a renderer
 * that was reloaded joins in the middle. Returns the function that ends the subscription.
 */
export function subscribeToEvents(api: Pick<Api, 'subscribe'>, listener: EventListener): () => void {
  let last: number | null = null;
  return api.subscribe((batch) => {
    const lost = last !== null && batch.seq !== last + 1;
    last = batch.seq;
    if (lost) listener.onGap();
    listener.onBatch(batch);
  });
}
