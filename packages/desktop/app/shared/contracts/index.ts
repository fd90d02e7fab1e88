import { agentContract } from './agent.contract.ts';
import { appContract } from './app.contract.ts';
import { completionContract } from './completion.contract.ts';
import { channelsOf, type DomainApi, type DomainEvent } from './contract.ts';
import { conversationsContract } from './conversations.contract.ts';
import { mcpContract } from './mcp.contract.ts';
import { mcpBuiltinContract } from './mcp-builtin.contract.ts';
import { mcpContentContract } from './mcp-content.contract.ts';
import { mcpImportContract } from './mcp-import.contract.ts';
import { mcpLogContract } from './mcp-log.contract.ts';
import { mcpRequestsContract } from './mcp-requests.contract.ts';
import { mcpToolsContract } from './mcp-tools.contract.ts';
import { oauthContract } from './oauth.contract.ts';
import { providersContract } from './providers.contract.ts';
import { resultsContract } from './results.contract.ts';
import { settingsContract } from './settings.contract.ts';

/** Every domain there is. The preload, the routers and the test of refusals all come from this list. */
export const contracts = {
  agent: agentContract,
  app: appContract,
  completion: completionContract,
  conversations: conversationsContract,
  mcp: mcpContract,
  mcpImport: mcpImportContract,
  mcpTools: mcpToolsContract,
  mcpRequests: mcpRequestsContract,
  mcpContent: mcpContentContract,
  mcpBuiltin: mcpBuiltinContract,
  mcpLog: mcpLogContract,
  oauth: oauthContract,
  providers: providersContract,
  results: resultsContract,
  settings: settingsContract,
};
export type Contracts = typeof contracts;
export type Domain = keyof Contracts;

/** The names of all channels, for the preload, which can't import zod. */
export const channelNames: string[] = Object.values(contracts).flatMap(channelsOf);

/** The one channel on which main sends events, as {@link EventBatch}. */
export const EVENT_CHANNEL = 'events';

export type AppEvent = { [D in Domain]: DomainEvent<Contracts[D]> }[Domain];

/** What main sends at most once a frame (16 ms). `seq` counts batches from 1 without gaps; a gap means: open again. */
export interface EventBatch {
  seq: number;
  events: AppEvent[];
}

/** `window.api`. `subscribe` returns the function that ends the subscription. */
export type Api = { [D in Domain]: DomainApi<Contracts[D]> } & {
  subscribe(listener: (batch: EventBatch) => void): () => void;
};
