import type { Api } from '@shared/contracts/index.ts';

declare global {
  interface Window {
    /** Exposed by the preload script. */
    readonly api: Api;
  }
}

/** The app's main process, typed by its contracts. Looked up on each use, so that a test can put its own in place. */
export const api = (): Api => window.api;
