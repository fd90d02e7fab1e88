import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { api } from '../../../bridge/api.ts';
import { unwrap } from '../../../bridge/errors.ts';

/** @param consent the person saw what would be started and agreed */
export const setServerEnabled = (serverId: string, enabled: boolean, consent = false): Promise<McpServerView> =>
  unwrap(api().mcp.setEnabled({ serverId, enabled, consent }));

export const restartServer = (serverId: string): Promise<void> => unwrap(api().mcp.restart({ serverId }));

export const removeServer = (serverId: string): Promise<void> => unwrap(api().mcp.remove({ serverId }));
