import type { Engine, TurnContext, TurnSetup } from '../ports/engine.ts';
import type { Clock, Logger } from '../ports/infrastructure.ts';
import type { ApprovalPort, McpPool } from '../ports/tools.ts';
import type { WholeResults } from '../ports/whole-results.ts';
import { createMcpToolPort } from './mcp-tool-port.ts';
import { systemPrompt } from './system-prompt.ts';

export interface ChatEngineDeps {
  mcpService: McpPool;
  approvals: ApprovalPort;
  clock: Clock;
  logger: Logger;
  /** Keeps results of tools that are too large for a message. Default: what is cut is lost. */
  results?: WholeResults;
}

/** Plain chat: the pool's tools, each asked for, and a prompt of three lines. */
export class ChatEngine implements Engine {
  readonly #deps: ChatEngineDeps;

  constructor(deps: ChatEngineDeps) {
    this.#deps = deps;
  }

  open({ conversation, onWaiting }: TurnContext): TurnSetup {
    const { mcpService, approvals, clock, logger, results } = this.#deps;
    return {
      tools: createMcpToolPort(mcpService, { conversationId: conversation.id, logger, results, onWaiting }),
      approvals,
      systemPrompt: ({ serverNames }) => systemPrompt({ now: clock.now(), serverNames }),
    };
  }
}
