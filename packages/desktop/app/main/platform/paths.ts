import { join } from 'node:path';

/** Where everything of one user lies. All absolute. */
export interface AppPaths {
  data: string;
  logs: string;
  sample: string;
  conversations: string;
  settings: string;
  providers: string;
  servers: string;
  /** Folders and log level that each server was granted. */
  serverGrants: string;
  /** What sign-ins gave: registrations and tokens, sealed. */
  signIns: string;
  approvals: string;
  /** Presets of agents that the person has made. */
  agentPresets: string;
  /** What runs of the agent changed in files. */
  agentChanges: string;
  windowState: string;
  /** What the built-in memory server remembers. */
  memory: string;
  /** Whole results of tools that were too large for a message. */
  results: string;
  /** Running server processes, for the clean-up after a crash. */
  processLedger: string;
}

/** @param userData the folder that `--user-data-dir` or the system gives: Electron's `app.getPath('userData')`. */
export function appPaths(userData: string): AppPaths {
  return {
    data: userData,
    logs: join(userData, 'logs'),
    sample: join(userData, 'sample-files'),
    conversations: join(userData, 'conversations.db'),
    settings: join(userData, 'settings.json'),
    providers: join(userData, 'providers.json'),
    servers: join(userData, 'mcp-servers.json'),
    serverGrants: join(userData, 'mcp-grants.json'),
    signIns: join(userData, 'sign-ins.json'),
    approvals: join(userData, 'approvals.json'),
    agentPresets: join(userData, 'agent-presets.json'),
    agentChanges: join(userData, 'agent-changes'),
    windowState: join(userData, 'window-state.json'),
    memory: join(userData, 'memory.jsonl'),
    results: join(userData, 'results'),
    processLedger: join(userData, 'processes.json'),
  };
}
