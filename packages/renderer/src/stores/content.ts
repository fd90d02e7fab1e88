import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../bridge/errors.ts';

export type ResourceListing = CallOutput<McpContentContract, 'resources'>;
export type PromptListing = CallOutput<McpContentContract, 'prompts'>;

export interface Listings {
  resources: ResourceListing;
  prompts: PromptListing;
}
export type ContentKind = keyof Listings;

/** What is known of a server's list. The last one stays while another is fetched, and when that fails. */
export interface Known<Listing> {
  listing?: Listing;
  error?: ApiError;
  loading: boolean;
  /** It has changed since it was fetched. */
  stale: boolean;
}

type ContentState = { readonly [Kind in ContentKind]: Readonly<Record<string, Known<Listings[Kind]>>> } & {
  /** Counts how often a watched resource has changed, by {@link updateKey}. */
  updates: Readonly<Record<string, number>>;
  /**
   * Fetches a list unless it is being fetched. Main knows whether the server has to be asked for it; `refresh` asks it in any
   * case. Never rejects.
   */
  load(kind: ContentKind, serverId: string, refresh?: boolean): Promise<void>;
  /** What is known of a server may not be true any more. Default: of both kinds. */
  forget(serverId: string, kind?: ContentKind): void;
  noteUpdate(serverId: string, uri: string): void;
};

export const updateKey = (serverId: string, uri: string): string => `${serverId} ${uri}`;

export const useContent = create<ContentState>()((set, get) => {
  const put = (kind: ContentKind, serverId: string, known: Partial<Known<ResourceListing & PromptListing>>) =>
    set((state) => ({
      [kind]: { ...state[kind], [serverId]: { loading: false, stale: false, ...state[kind][serverId], ...known } },
    }));

  return {
    resources: {},
    prompts: {},
    updates: {},
    async load(kind, serverId, refresh = false) {
      const known = get()[kind][serverId];
      if (known?.loading) return;
      put(kind, serverId, { loading: true, stale: false });
      try {
        const listing = await unwrap<object>(api().mcpContent[kind]({ serverId, refresh }));
        put(kind, serverId, { listing: listing as ResourceListing & PromptListing, error: undefined, loading: false });
      } catch (thrown) {
        put(kind, serverId, { error: toApiError(thrown), loading: false });
      }
    },
    forget(serverId, kind) {
      for (const each of ['resources', 'prompts'] as const) {
        if ((kind ?? each) === each && get()[each][serverId]) put(each, serverId, { stale: true });
      }
    },
    noteUpdate(serverId, uri) {
      const key = updateKey(serverId, uri);
      set(({ updates }) => ({ updates: { ...updates, [key]: (updates[key] ?? 0) + 1 } }));
    },
  };
});
