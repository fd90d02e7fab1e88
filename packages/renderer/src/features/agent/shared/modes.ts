import type { PermissionMode } from '@shared/contracts/agent-types.ts';

/** From the one that asks most to the one that asks nothing. */
export const MODES: readonly PermissionMode[] = ['plan', 'ask', 'accept-edits', 'bypass'];
