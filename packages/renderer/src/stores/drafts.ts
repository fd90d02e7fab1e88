import { create } from 'zustand';

/** Where the drafts are kept between two starts of the app. */
const STORAGE_KEY = 'drafts';
/** Drafts longer than this live only until the window closes. In characters. */
const MAX_STORED = 200_000;
const NEW = 'new';

interface DraftsState {
  /** By conversation id; `new` for the one that has none yet. */
  drafts: Readonly<Record<string, string>>;
  write(conversationId: string | null, text: string): void;
}

export const useDrafts = create<DraftsState>()((set) => ({
  drafts: restore(),
  write(conversationId, text) {
    set(({ drafts: { [conversationId ?? NEW]: _old, ...drafts } }) => ({
      drafts: text === '' ? drafts : { ...drafts, [conversationId ?? NEW]: text },
    }));
    scheduleStore();
  },
}));

export const draftOf = (state: DraftsState, conversationId: string | null): string =>
  state.drafts[conversationId ?? NEW] ?? '';

let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleStore(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const text = JSON.stringify(useDrafts.getState().drafts);
    if (text.length > MAX_STORED) return;
    try {
      localStorage.setItem(STORAGE_KEY, text);
    } catch {
      // Full or not allowed: the draft lives on in this window.
    }
  }, 400);
}

function restore(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
