import { settingsContract } from '@shared/contracts/settings.contract.ts';
import type { SettingsService } from '../settings/SettingsService.ts';
import type { Approvals } from '../turn/approval.ts';
import { defineRouter } from './router.ts';

export const createSettingsRouter = (settings: SettingsService, approvals: Approvals) =>
  defineRouter(settingsContract, {
    get: () => settings.get(),
    set: (changes) => settings.set(changes),
    listAlwaysAllowed: () => approvals.listAlwaysAllowed(),
    revokeAlwaysAllowed: ({ serverId, toolName }) => approvals.revoke(serverId, toolName),
  });
