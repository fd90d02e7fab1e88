import type { SignInStatus } from '@shared/contracts/oauth.contract.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { unwrap } from '../bridge/errors.ts';

interface SignInsState {
  /** How servers stand with signing in, by server id. Those that can't be signed in to have none. */
  byServer: Readonly<Record<string, SignInStatus>>;
  load(): Promise<void>;
  replace(status: SignInStatus): void;
}

export const useSignIns = create<SignInsState>()((set) => ({
  byServer: {},
  async load() {
    const statuses = await unwrap(api().oauth.list());
    set({ byServer: Object.fromEntries(statuses.map((status) => [status.serverId, status])) });
  },
  replace(status) {
    set(({ byServer }) => ({ byServer: { ...byServer, [status.serverId]: status } }));
  },
}));
