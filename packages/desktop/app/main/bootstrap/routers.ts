import type { Domain } from '@shared/contracts/index.ts';
import type { NoticeBoard } from '../services/notices/NoticeBoard.ts';
import { createAgentRouter } from '../services/routers/agent-router.ts';
import { createAppRouter, type Desktop } from '../services/routers/app-router.ts';
import { createCompletionRouter } from '../services/routers/completion-router.ts';
import { createConversationsRouter } from '../services/routers/conversations-router.ts';
import type { EventHub } from '../services/routers/event-hub.ts';
import { createMcpBuiltinRouter } from '../services/routers/mcp-builtin-router.ts';
import { createMcpContentRouter } from '../services/routers/mcp-content-router.ts';
import { createMcpImportRouter } from '../services/routers/mcp-import-router.ts';
import { createMcpLogRouter } from '../services/routers/mcp-log-router.ts';
import { createMcpRequestsRouter } from '../services/routers/mcp-requests-router.ts';
import { createMcpRouter } from '../services/routers/mcp-router.ts';
import { createMcpToolsRouter } from '../services/routers/mcp-tools-router.ts';
import { createOAuthRouter } from '../services/routers/oauth-router.ts';
import { createProvidersRouter } from '../services/routers/providers-router.ts';
import { createResultsRouter } from '../services/routers/results-router.ts';
import type { Router } from '../services/routers/router.ts';
import { createSettingsRouter } from '../services/routers/settings-router.ts';
import { chooseFolder, openPath } from './desktop.ts';
import type { Services } from './services.ts';

/** What answers the calls of each contract, by domain. */
export const createRouters = (
  services: Services,
  { desktop, notices, events }: { desktop: Desktop; notices: NoticeBoard; events: EventHub },
): Record<Domain, Router> => ({
  agent: createAgentRouter(services.agent, chooseFolder),
  app: createAppRouter(desktop, notices),
  completion: createCompletionRouter(services.completion),
  conversations: createConversationsRouter(services.conversations, services.completion, events),
  mcp: createMcpRouter(services.mcp),
  mcpImport: createMcpImportRouter(services.mcpImport),
  mcpTools: createMcpToolsRouter(services.toolSettings, services.playground),
  mcpRequests: createMcpRequestsRouter(services.requests, services.grants),
  mcpContent: createMcpContentRouter(services.content),
  mcpBuiltin: createMcpBuiltinRouter(services.builtins),
  mcpLog: createMcpLogRouter(services.mcpLog),
  oauth: createOAuthRouter(services.oauth),
  providers: createProvidersRouter(services.providers),
  results: createResultsRouter(services.results, openPath),
  settings: createSettingsRouter(services.settings, services.approvals),
});
