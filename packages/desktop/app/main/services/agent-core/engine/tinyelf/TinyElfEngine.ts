import type { AgentRun, AgentServer } from '@shared/contracts/agent-types.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Engine, TurnContext, TurnSetup } from '../../../ports/engine.ts';
import type { Clock, Logger } from '../../../ports/infrastructure.ts';
import type { ApprovalPort, FailedServer } from '../../../ports/tools.ts';
import type { WholeResults } from '../../../ports/whole-results.ts';
import { createEngineToolPort, type RunPool } from './engine-tool-port.ts';
import { readMemoryFile } from './memory-file.ts';
import { OpenTodo } from './open-todo.ts';
import { agentSystemPrompt } from './system-prompt.ts';
import type { TinyElfToolRegistryBuilder, ToolPlace } from './TinyElfToolRegistryBuilder.ts';
import type { ITool } from './tools/ITool.ts';
import { Workspace } from './workspace.ts';

/** A turn of a run, as those need it who decide about its calls. */
export interface TurnPlace extends ToolPlace {
  /** As it was when the turn began: its mode may have changed since. */
  agent: AgentRun;
  /** The tool behind a call; undefined for one that this turn doesn't have. */
  toolOf: (tool: MCPTool) => ITool | undefined;
}

/** Who decides about the calls of a turn. */
export interface TurnApprovals extends ApprovalPort {
  /** The mode of the run is another one: calls that wait are decided again. Default: the mode makes no difference. */
  modeChanged?(): void;
}

/** Servers of a turn's own. */
export interface TurnServers {
  tools: ITool[];
  /** Those that could not be started. Default: none. */
  failed?: FailedServer[];
  /** Ends them. */
  close(): Promise<void>;
}

export interface TinyElfEngineDeps {
  builder: TinyElfToolRegistryBuilder;
  /** The person's own servers, for the presets that use them. */
  mcpService: RunPool;
  /** Starts a preset's servers. One that fails is left out, and named in `failed`. */
  openServers: (servers: readonly AgentServer[], signal: AbortSignal) => Promise<TurnServers>;
  approvalsFor: (turn: TurnPlace) => TurnApprovals;
  clock: Clock;
  logger: Logger;
  /** Whether a file of the workspace, links followed, may be read without asking. */
  mayRead: (workspace: Workspace, real: string) => boolean;
  /** Keeps results of tools that are too large for a message. Default: what is cut is lost. */
  results?: WholeResults;
}

/** Lets the model connect servers of the pool: nothing for an agent that doesn't use them. */
const CONNECT_TOOL = 'connect_mcp';

/** The agent: works in a folder with built-in tools, servers of its own and those of the person. */
export class TinyElfEngine implements Engine {
  readonly #deps: TinyElfEngineDeps;
  /** Of the turns that run, by conversation. */
  readonly #approvals = new Map<string, TurnApprovals>();

  constructor(deps: TinyElfEngineDeps) {
    this.#deps = deps;
  }

  /** To be called when the mode of a run has changed. Nothing happens while it doesn't go on. */
  modeChanged(conversationId: string): void {
    this.#approvals.get(conversationId)?.modeChanged?.();
  }

  /** Throws AppError `workspace-missing`, and the reason of `signal` when the turn was stopped meanwhile. */
  async open({ conversation, rows, signal, onWaiting }: TurnContext): Promise<TurnSetup> {
    const { builder, mcpService, openServers, approvalsFor, clock, results, mayRead, logger } = this.#deps;
    const { id: conversationId, agent } = conversation;
    if (!agent) throw new Error('The conversation is no run of the agent.');
    const { preset } = agent;
    const place: ToolPlace = { conversationId, workspace: await Workspace.open(agent.workspace) };
    const allowed = preset.mcpTools ? preset.tools : preset.tools.filter((name) => name !== CONNECT_TOOL);
    const registry = builder.buildToolRegistry(place, allowed);
    signal.throwIfAborted();
    const servers = preset.servers.length > 0 ? await openServers(preset.servers, signal) : undefined;
    const closeServers = async () => {
      await servers?.close().catch((error: unknown) => {
        logger.warn('Servers of a run could not be closed', { conversationId, error: String(error) });
      });
    };
    if (signal.aborted) {
      // The next turn of the conversation may have begun: what follows would take its place.
      await closeServers();
      signal.throwIfAborted();
    }

    const tools = createEngineToolPort({
      conversationId,
      own: [...registry.getAll(), ...(servers?.tools ?? [])],
      mcpService: preset.mcpTools ? mcpService : undefined,
      results,
      onWaiting,
    });
    const approvals = approvalsFor({ ...place, agent, toolOf: tools.toolOf });
    this.#approvals.set(conversationId, approvals);
    const todo = new OpenTodo(rows);
    let memory: string | undefined;
    return {
      tools: {
        ...tools,
        prepare: async (format, stop) => {
          memory = await readMemoryFile(place.workspace, (real) => mayRead(place.workspace, real));
          return { ...(await tools.prepare(format, stop)), failedServers: servers?.failed };
        },
      },
      approvals,
      systemPrompt: ({ serverNames }) =>
        agentSystemPrompt({
          systemPrompt: preset.systemPrompt,
          workspace: place.workspace.root,
          now: clock.now(),
          serverNames,
          todo: todo.items(),
          memory,
        }),
      maxRounds: preset.maxRounds,
      tokenBudget: preset.tokenBudget ?? undefined,
      dispose: async () => {
        if (this.#approvals.get(conversationId) === approvals) this.#approvals.delete(conversationId);
        await closeServers();
      },
    };
  }
}
