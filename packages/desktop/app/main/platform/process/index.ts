export { ServerEnvironment } from './environment.ts';
export type { LedgerEntry } from './ledger.ts';
export { ProcessManager, type ProcessManagerOptions, type StartSpec } from './process-manager.ts';
export type { ExitInfo, ProcessTree } from './process-tree.ts';
export { StartError, type StartErrorCode } from './start-error.ts';
