import type { AppEvent } from '@shared/contracts/index.ts';

/** Where services put what the renderer should learn. Cheap to call for every delta; whoever sends them on batches them. */
export interface EventSink {
  emit(event: AppEvent): void;
}
