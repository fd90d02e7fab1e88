import type { AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import { create } from 'zustand';

/** Where the drafts, and what is attached to them, are kept between two starts of the app. */
const STORAGE_KEY = 'drafts';
const ATTACHMENTS_KEY = 'draft-attachments';
/** Where all of them are longer than this together, what changes is kept only until the window closes. In characters of JSON. */
const MAX_STORED = 200_000;
const NEW = 'new';

interface DraftsState {
  /** By conversation id; `new` for the one that has none yet. */
  drafts: Readonly<Record<string, string>>;
  /** What is to be sent with them, by the same ids. */
  attachments: Readonly<Record<string, readonly AttachmentRequest[]>>;
  write(conversationId: string | null, text: string): void;
  attach(conversationId: string | null, attachments: readonly AttachmentRequest[]): void;
  /** Forgets those of conversations that aren't there any more. */
  keepOnly(conversationIds: ReadonlySet<string>): void;
}

export const useDrafts = create<DraftsState>()((set, get) => ({
  drafts: restore(STORAGE_KEY, isText),
  attachments: restore(ATTACHMENTS_KEY, isAttachments),
  write(conversationId, text) {
    set(({ drafts: { [conversationId ?? NEW]: _old, ...drafts } }) => ({
      drafts: text === '' ? drafts : { ...drafts, [conversationId ?? NEW]: text },
    }));
    scheduleStore();
  },
  attach(conversationId, requests) {
    set(({ attachments: { [conversationId ?? NEW]: _old, ...attachments } }) => ({
      attachments: requests.length === 0 ? attachments : { ...attachments, [conversationId ?? NEW]: requests },
    }));
    scheduleStore();
  },
  keepOnly(conversationIds) {
    const isKept = (id: string) => id === NEW || conversationIds.has(id);
    const { drafts: texts, attachments: attached } = get();
    // As at most starts: then there is nothing to store either.
    if ([...Object.keys(texts), ...Object.keys(attached)].every(isKept)) return;
    const kept = <Value>(all: Readonly<Record<string, Value>>) =>
      Object.fromEntries(Object.entries(all).filter(([id]) => isKept(id)));
    set(({ drafts, attachments }) => ({ drafts: kept(drafts), attachments: kept(attachments) }));
    scheduleStore();
  },
}));

export const draftOf = (state: DraftsState, conversationId: string | null): string =>
  state.drafts[conversationId ?? NEW] ?? '';

const NOTHING: readonly AttachmentRequest[] = [];

export const attachmentsOf = (state: DraftsState, conversationId: string | null): readonly AttachmentRequest[] =>
  state.attachments[conversationId ?? NEW] ?? NOTHING;

let timer: ReturnType<typeof setTimeout> | undefined;

function scheduleStore(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const { drafts, attachments } = useDrafts.getState();
    store(STORAGE_KEY, drafts);
    store(ATTACHMENTS_KEY, attachments);
  }, 400);
}

function store(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (text.length > MAX_STORED) return;
  try {
    localStorage.setItem(key, text);
  } catch {
    // Full or not allowed: the draft lives on in this window.
  }
}

function restore<Value>(key: string, isValue: (value: unknown) => value is Value): Record<string, Value> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, Value] => isValue(entry[1])));
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What an earlier version of the app stored may look otherwise. */
function isAttachments(value: unknown): value is AttachmentRequest[] {
  return (
    Array.isArray(value) &&
    value.every((item) =>
      item?.kind === 'resource'
        ? typeof item.serverId === 'string' && typeof item.uri === 'string' && typeof item.name === 'string'
        : item?.kind === 'content' && typeof item.part?.name === 'string',
    )
  );
}
