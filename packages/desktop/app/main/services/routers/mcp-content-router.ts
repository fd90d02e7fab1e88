import { mcpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import type { McpContent } from '../capabilities/tools/mcp-users/content/McpContent.ts';
import { defineRouter } from './router.ts';

export const createMcpContentRouter = (content: McpContent) =>
  defineRouter(mcpContentContract, {
    resources: ({ serverId, refresh }) => content.resources(serverId, refresh),
    prompts: ({ serverId, refresh }) => content.prompts(serverId, refresh),
    read: (input) => content.read(input),
    expand: (input) => content.expand(input),
    complete: (input) => content.complete(input),
    prompt: (input) => content.prompt(input),
    watch: (input) => content.watch(input),
    unwatch: () => content.unwatch(),
  });
