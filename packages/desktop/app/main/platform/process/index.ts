export { ServerEnvironment } from './environment.ts';
export { ProcessManager, type ProcessManagerOptions } from './process-manager.ts';
