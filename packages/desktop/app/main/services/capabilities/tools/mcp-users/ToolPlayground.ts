import type { ArgumentProblem, ToolRun } from '@shared/contracts/mcp-tools.contract.ts';
import type { EventSink } from '../../../ports/events.ts';
import type { McpPool } from '../../../ports/tools.ts';
import type { WholeResults } from '../../../ports/whole-results.ts';
import { keepBounded } from './bound-result.ts';
import { resultForModel } from './result-for-model.ts';
import type { ToolSettings } from './ToolSettings.ts';
import { argumentProblems } from './tool-schemas.ts';

/** A server may report progress a thousand times a second; nobody can read that. */
const PROGRESS_INTERVAL_MS = 100;

export interface ToolPlaygroundOptions {
  pool: Pick<McpPool, 'callTool' | 'cancelCall'>;
  settings: Pick<ToolSettings, 'tool'>;
  events: EventSink;
  /** Keeps what is too large to be shown. */
  results: WholeResults;
}

/** Runs single tools for a person who tries them out. Policies and switches are about models, and don't matter here. */
export class ToolPlayground {
  readonly #pool: ToolPlaygroundOptions['pool'];
  readonly #settings: ToolPlaygroundOptions['settings'];
  readonly #events: EventSink;
  readonly #results: WholeResults;

  constructor({ pool, settings, events, results }: ToolPlaygroundOptions) {
    this.#pool = pool;
    this.#settings = settings;
    this.#events = events;
    this.#results = results;
  }

  /** What the tool's schema has against these arguments. @throws AppError `not-found` */
  async check(serverId: string, toolName: string, args: Record<string, unknown>): Promise<ArgumentProblem[]> {
    return argumentProblems(await this.#settings.tool(serverId, toolName), args);
  }

  /** Calls the tool with these arguments, whatever its schema says. Progress comes as events. @throws as McpPool.callTool */
  async run(
    runId: string,
    { serverId, toolName, args }: { serverId: string; toolName: string; args: Record<string, unknown> },
  ): Promise<ToolRun> {
    const startedAt = performance.now();
    let shownAt = Number.NEGATIVE_INFINITY;
    const response = await this.#pool.callTool(serverId, toolName, args, callIdOf(runId), {
      onProgress: (progress) => {
        const now = performance.now();
        if (now - shownAt < PROGRESS_INTERVAL_MS) return;
        shownAt = now;
        this.#events.emit({ type: 'mcpTools.progress', payload: { runId, progress } });
      },
    });
    const ms = Math.round(performance.now() - startedAt);
    // As in a chat: what is cut there is cut here.
    const bounded = keepBounded(response, this.#results);
    const { isError, content, structuredContent, warnings, whole } = bounded;
    const { text, images } = resultForModel(bounded);
    return {
      result: { isError, content, structuredContent, warnings, ...(whole && { whole }) },
      forModel: { text, imageCount: images.length },
      ms,
    };
  }

  cancel(runId: string): void {
    this.#pool.cancelCall(callIdOf(runId));
  }
}

/** Apart from the ids of calls in conversations. */
const callIdOf = (runId: string): string => JSON.stringify(['playground', runId]);
